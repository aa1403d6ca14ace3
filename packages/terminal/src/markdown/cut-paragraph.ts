import { cutPoint } from '../visible.ts'
import { marksAround, readInline } from './inline.ts'

// About forty rows of eighty cells. Longer paragraphs are written, but no emphasis or link as long as this.
const LIMIT = 3_000

/** The beginning of a paragraph that nothing can change any more, and what follows it. */
export interface Cut {
  readonly head: string
  readonly rest: string
}

/**
 * Cuts a long paragraph where no emphasis, code or link reaches across. Where one is longer than any that is meant, it
 * is cut all the same: then its signs are only signs. Where the cut lies depends on the text alone, never on how it came.
 */
export function cutParagraph(text: string): Cut | undefined {
  if (text.length <= LIMIT) return undefined
  const front = text.slice(0, cutPoint(text, LIMIT))
  const safe = safeCut(front)
  const at = safe >= LIMIT / 4 ? safe : (lastBreak(front) ?? front.length)
  return { head: text.slice(0, at), rest: text.slice(at) }
}

function safeCut(source: string): number {
  const reader = readInline(source, { isUnderWay: false })
  const around = marksAround(reader)
  let best = 0
  for (const [index, { text, at, isPlain }] of reader.nodes.entries()) {
    if (at >= reader.pending) break
    if (!isPlain || around[index] !== 0) continue
    const place = source[at] === '\n' ? 0 : lastBreak(text)
    if (place !== undefined) best = at + place
  }
  return best
}

/** The last place where a line may be broken: at a blank, or between two signs of a script that uses none. */
function lastBreak(text: string): number | undefined {
  for (let at = text.length - 1; at > 0; at--) {
    if (/\s/.test(text[at] ?? '')) return at
    if (isIdeograph(text[at]) && isIdeograph(text[at - 1])) return at
  }
  return undefined
}

function isIdeograph(sign: string | undefined): boolean {
  return sign !== undefined && /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/.test(sign)
}
