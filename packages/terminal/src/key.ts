/** A key that is not text. Letters appear here only with Ctrl or Alt. */
export interface NamedKey {
  readonly kind: 'key'
  /** `enter`, `escape`, `tab`, `backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `page-up`, `page-down`, `f1`…`f12`, or the letter or sign itself. */
  readonly name: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

/** What a person did: typed text (whole characters, also what an input method composed), pasted, or pressed a key. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'focus'; readonly isFocused: boolean }
  | NamedKey
