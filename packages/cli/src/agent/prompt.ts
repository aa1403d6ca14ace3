import type { Translator } from '@maru/i18n'
import type { Frame, Key, NamedKey, TextStyle } from '@maru/terminal'
import type { Conversation } from './conversation.ts'

/** What a key has done to a prompt. */
export type PromptOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed' }
  /** There is an answer, and this is how it is given. */
  | { readonly kind: 'answered'; give(conversation: Conversation): Promise<void> }
  /** The run is to stop. */
  | { readonly kind: 'interrupt' }
  /** Something is to be printed above. */
  | { readonly kind: 'show'; lines(width: number): string[] }

/** Something that is asked, in the place of the editor. */
export interface Prompt {
  handle(key: Key): PromptOutcome
  render(width: number, rows: number): Frame
}

export interface PromptWords {
  readonly t: Translator
  readonly style: TextStyle
}

export const NONE: PromptOutcome = { kind: 'none' }
export const CHANGED: PromptOutcome = { kind: 'changed' }

/** Whether it is this letter with Ctrl and nothing else. */
export function isCtrl(key: Key, letter: string): boolean {
  return isNamed(key) && key.ctrl && !key.alt && key.name === letter
}

export function isNamed(key: Key): key is NamedKey {
  return key.kind === 'key'
}

/** The frame of something that stands below lines. */
export function below(lines: readonly string[], frame: Frame): Frame {
  const { cursor } = frame
  return {
    lines: [...lines, ...frame.lines],
    ...(cursor && { cursor: { row: cursor.row + lines.length, column: cursor.column } }),
  }
}
