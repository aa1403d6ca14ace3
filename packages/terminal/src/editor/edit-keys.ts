import type { NamedKey } from '../key.ts'

/** What the keys of a text do, as shells have taught them. */
export type EditCommand = (typeof EDIT_KEYS)[keyof typeof EDIT_KEYS]

/** The key with its modifiers, always in the same order: `ctrl+alt+shift+left`. */
export function nameOfKey({ name, ctrl, alt, shift }: NamedKey): string {
  const isSign = name.length === 1
  // Shift is already in a sign; of letters it is dropped, as terminals disagree about it.
  return `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift && !isSign ? 'shift+' : ''}${isSign ? name.toLowerCase() : name}`
}

export function editCommandFor(keyName: string): EditCommand | undefined {
  return Object.hasOwn(EDIT_KEYS, keyName) ? EDIT_KEYS[keyName as keyof typeof EDIT_KEYS] : undefined
}

const EDIT_KEYS = {
  left: 'left',
  'ctrl+b': 'left',
  right: 'right',
  'ctrl+f': 'right',
  'alt+b': 'word-left',
  'alt+left': 'word-left',
  'ctrl+left': 'word-left',
  'alt+f': 'word-right',
  'alt+right': 'word-right',
  'ctrl+right': 'word-right',
  home: 'line-start',
  'ctrl+a': 'line-start',
  end: 'line-end',
  'ctrl+e': 'line-end',
  'ctrl+home': 'text-start',
  'alt+<': 'text-start',
  'ctrl+end': 'text-end',
  'alt+>': 'text-end',
  up: 'up',
  'ctrl+p': 'up',
  down: 'down',
  'ctrl+n': 'down',
  'page-up': 'page-up',
  'page-down': 'page-down',
  backspace: 'delete-left',
  'shift+backspace': 'delete-left',
  'ctrl+h': 'delete-left',
  delete: 'delete-right',
  'ctrl+d': 'delete-right',
  'ctrl+w': 'kill-to-blank',
  'alt+backspace': 'kill-word-left',
  'ctrl+backspace': 'kill-word-left',
  'alt+d': 'kill-word-right',
  'alt+delete': 'kill-word-right',
  'ctrl+delete': 'kill-word-right',
  'ctrl+u': 'kill-to-start',
  'ctrl+k': 'kill-to-end',
  'ctrl+y': 'yank',
  'ctrl+t': 'swap',
  'ctrl+_': 'undo',
  // What terminals with other keyboard protocols call the same key.
  'ctrl+-': 'undo',
  'ctrl+/': 'undo',
  'ctrl+7': 'undo',
  'ctrl+j': 'newline',
  'shift+enter': 'newline',
  'ctrl+enter': 'newline',
} as const
