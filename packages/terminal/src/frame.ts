/** What is drawn at the bottom of the terminal: lines no wider than it, and where the real cursor belongs. */
export interface Frame {
  readonly lines: readonly string[]
  /** Row and column from zero, in cells; without it the cursor is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number }
}
