/** A text as it is seen, and where each of its signs stands in the text as it is. */
export interface View {
  readonly text: string
  place(at: number): number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const COLOUR = /\x1b\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]/g

/** A text without the codes that colour it: a key that is coloured in the middle is still one key. */
export function withoutColours(text: string): View {
  if (!text.includes('\x1b[')) return { text, place: (at) => at }
  const pieces: { from: number; at: number }[] = []
  let plain = ''
  let last = 0
  for (const match of text.matchAll(COLOUR)) {
    if (match.index > last) pieces.push({ from: last, at: plain.length })
    plain += text.slice(last, match.index)
    last = match.index + match[0].length
  }
  if (last < text.length) pieces.push({ from: last, at: plain.length })
  plain += text.slice(last)
  return { text: plain, place: (at) => placeIn(pieces, at) }
}

function placeIn(pieces: readonly { from: number; at: number }[], at: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.at ?? 0) <= at) low = middle
    else high = middle - 1
  }
  const piece = pieces[low]
  return piece ? piece.from + at - piece.at : at
}
