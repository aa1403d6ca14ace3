/** A stretch of text and where it stands, in UTF-16 units. */
export interface Piece {
  offset: number
  text: string
}

/**
 * Adds a stretch to those that are known, which stand in order and do not touch. What is known already stays; what came
 * too early waits, apart, for what belongs in between. So text never has a hole, in whatever order it comes.
 */
export function addPiece(pieces: Piece[], { offset, text }: Piece): void {
  const end = offset + text.length
  const first = pieces.findIndex((piece) => endOf(piece) >= offset)
  const at = first < 0 ? pieces.length : first
  let next = at
  while (next < pieces.length && (pieces[next]?.offset ?? 0) <= end) next++
  const touched = pieces.slice(at, next)
  let whole: Piece = { offset, text }
  for (const piece of touched) whole = join(piece, whole)
  pieces.splice(at, touched.length, whole)
  // The one that waits longest is dropped: what it belongs to is told anew sooner or later.
  if (pieces.length > MOST) pieces.splice(1, 1)
}

const MOST = 256

function join(known: Piece, other: Piece): Piece {
  if (known.offset > other.offset) {
    const before = other.text.slice(0, known.offset - other.offset)
    return join({ offset: other.offset, text: before + known.text }, other)
  }
  return { offset: known.offset, text: known.text + other.text.slice(Math.max(0, endOf(known) - other.offset)) }
}

export function endOf({ offset, text }: Piece): number {
  return offset + text.length
}
