import type { Lang, Translator } from '@maru/i18n'
import type { Conversation, ConversationEvents } from './conversation.ts'
import type { Pick } from './slash/slash.ts'

/** A person at a terminal, whatever the terminal can do. */
export interface AgentDoor {
  readonly events: ConversationEvents
  readonly t: Translator
  readonly lang: Lang
  /** What was attached, once it is. */
  readonly ready: Promise<Conversation>
  /** The session is there: what was said before goes to it now. */
  attach(conversation: Conversation): void
  /** As if the person had typed it. */
  say(text: string): void
  /** Lines for people, safe for a terminal. */
  show(lines: readonly string[]): void
  /** The value that was chosen; nothing when the person does not want to. */
  pick(options: Pick): Promise<string | undefined>
  setLanguage(lang: Lang): void
  /** Something was said in the session that is shown. */
  readonly isUsed: boolean
  leave(): void
  /** Resolves when the person wants to leave; rejects when nothing can be shown any more. */
  readonly left: Promise<void>
  /** Prints what is left; nothing is shown from now on. May be called twice. */
  close(): void
}
