/** What stands before the lines of a block: it lies in a quote, or in an item of a list. */
export type Part =
  | { readonly kind: 'quote' }
  /** `isFirst`: the block is the item's first, so that its mark is shown. */
  | { readonly kind: 'item'; readonly mark: string; readonly isFirst: boolean }

export type Align = 'left' | 'right' | 'centre'

/** What a piece says. */
export type Content =
  /** `isOpen`: another piece goes on with it. `isUnderWay`: more text may come, and nobody knows what it says. */
  | { readonly kind: 'paragraph'; readonly text: string; readonly isOpen: boolean; readonly isUnderWay?: true }
  | { readonly kind: 'heading'; readonly text: string; readonly level: number }
  /** One line of code, or a stretch of a very long one. */
  | { readonly kind: 'code'; readonly text: string; readonly language: string | undefined }
  /** `heads` is there for the first rows of a table alone. */
  | { readonly kind: 'table'; readonly heads?: TableHead; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }
  /** A line as it is. */
  | { readonly kind: 'line'; readonly text: string }
  /** An item with nothing in it. */
  | { readonly kind: 'empty' }

/** The first row of a table and how its columns are aligned. */
export interface TableHead {
  readonly cells: readonly string[]
  readonly aligns: readonly Align[]
}

/** The smallest part of a text that is laid out at once: a block, or so much of a long one as cannot change any more. */
export interface Piece {
  readonly parts: readonly Part[]
  readonly content: Content
  /** It goes on with the block of the piece before it. */
  readonly isContinued: boolean
  /** An empty line stands before it, with these beside it. */
  readonly gap?: readonly Part[]
}
