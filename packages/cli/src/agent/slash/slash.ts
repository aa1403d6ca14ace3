import type { Lang, PlainKey } from '@maru/i18n'
import type { Invocation } from '../../command.ts'
import type { Conversation } from '../conversation-contract.ts'

/** A list that is put before the person. */
export interface Pick {
  readonly title: string
  readonly items: readonly { label: string; detail?: string; value: string }[]
  /** Typing filters. */
  readonly isSearchable?: boolean
}

/** Where a slash command is run: everything it may touch. */
export interface SlashPlace {
  readonly conversation: Conversation
  /** In the language that is spoken now. */
  readonly invocation: Invocation
  /** Lines for people, already safe for a terminal; not wrapped. */
  show(lines: readonly string[]): void
  /** The value that was chosen; nothing when the person does not want to. */
  pick(options: Pick): Promise<string | undefined>
  setLanguage(lang: Lang): void
  quit(): void
}

/** What can be said to Maru itself, behind a slash. */
export interface SlashCommand {
  readonly name: string
  readonly summary: PlainKey
  /** What may follow the name, as in help. */
  readonly argument?: string
  run(argument: string, place: SlashPlace): Promise<void>
}
