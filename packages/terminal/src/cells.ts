import { endOfForeign, isSimple, segmenter, widthOfGrapheme } from './cell-width.ts'
import { endOfSequence } from './escape-sequence.ts'

/** Text in pieces that cannot be cut: a grapheme with its width, or an escape sequence with the width -1. */
export interface Cells {
  readonly pieces: readonly string[]
  readonly widths: readonly number[]
}

/** Takes styled text apart; stops with the piece that goes beyond `limit`, for who needs only the beginning. */
export function cellsOf(text: string, limit = Number.POSITIVE_INFINITY): Cells {
  const pieces: string[] = []
  const widths: number[] = []
  let taken = 0
  const add = (piece: string, width: number): void => {
    pieces.push(piece)
    widths.push(width)
    if (width > 0) taken += width
  }
  for (let i = 0; i < text.length && taken <= limit; ) {
    const code = text.charCodeAt(i)
    // An ASCII sign can carry what follows it, so it is looked at together with a run of others.
    if (code < 0x7f && !(code >= 0x20 && text.charCodeAt(i + 1) >= 0x7f)) {
      const end = code === 0x1b ? endOfSequence(text, i) : i + 1
      add(text.slice(i, end), code >= 0x20 ? 1 : end - i > 1 ? -1 : 0)
      i = end
      continue
    }
    const end = endOfForeign(text, i)
    if (isSimple(text, i, end)) {
      for (; i < end; i++) add(text.charAt(i), widthOfGrapheme(text.charAt(i)))
    } else {
      for (const { segment } of segmenter().segment(text.slice(i, end))) add(segment, widthOfGrapheme(segment))
      i = end
    }
  }
  return { pieces, widths }
}
