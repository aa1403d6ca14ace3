import type { WordPart } from 'unbash'

const MAX_VARIANTS = 64

/** The words that brace expansion makes of one, each as its parts; nothing where that cannot be told. */
export function expandBraces(parts: readonly WordPart[]): (readonly WordPart[])[] | undefined {
  if (!parts.some(({ type }) => type === 'BraceExpansion')) return [parts]
  let variants: WordPart[][] = [[]]
  for (const part of parts) {
    const texts = part.type === 'BraceExpansion' ? alternatives(part.text) : undefined
    if (part.type === 'BraceExpansion' && texts === undefined) return undefined
    const next = texts ? texts.map((text) => plain(text)) : [[part]]
    variants = variants.flatMap((variant) => next.map((tail) => [...variant, ...tail]))
    if (variants.length > MAX_VARIANTS) return undefined
  }
  return variants
}

function alternatives(text: string): string[] | undefined {
  // Quotes and expansions in braces are rare and easily misread.
  if (/[$`'"\\<>()]/.test(text)) return undefined
  const sequence = /^\{(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(-?\d+))?\}$/i.exec(text)
  if (sequence) return expandSequence(sequence)
  return expandText(text)
}

function expandSequence([, from = '', to = '', step = '1']: RegExpExecArray): string[] | undefined {
  const isNumeric = /\d/.test(from) && /\d/.test(to)
  if (!isNumeric && (/\d/.test(from) || /\d/.test(to))) return undefined
  const [first, last] = [from, to].map((end) => (isNumeric ? Number(end) : end.charCodeAt(0))) as [number, number]
  const stride = Math.abs(Number(step)) || 1
  if (Math.abs(last - first) / stride >= MAX_VARIANTS) return undefined
  const values: string[] = []
  const sign = last >= first ? 1 : -1
  for (let value = first; sign * (last - value) >= 0; value += sign * stride) {
    values.push(isNumeric ? String(value) : String.fromCharCode(value))
  }
  return values
}

// `a{b,c{d,e}}f`, nested to any depth: the first brace is expanded, then what comes out of it.
function expandText(text: string, depth = 0): string[] | undefined {
  const open = text.indexOf('{')
  if (open < 0) return [text]
  if (depth > 8) return undefined
  const commas: number[] = []
  let level = 0
  let close = -1
  for (let at = open; at < text.length && close < 0; at++) {
    const sign = text[at]
    if (sign === '{') level++
    else if (sign === '}' && --level === 0) close = at
    else if (sign === ',' && level === 1) commas.push(at)
  }
  if (close < 0 || commas.length === 0) return undefined
  const edges = [open, ...commas, close]
  const tails = expandText(text.slice(close + 1), depth + 1)
  const all: string[] = []
  for (let at = 0; at + 1 < edges.length; at++) {
    const inner = expandText(text.slice((edges[at] ?? 0) + 1, edges[at + 1]), depth + 1)
    if (!inner || !tails) return undefined
    for (const middle of inner) for (const tail of tails) all.push(text.slice(0, open) + middle + tail)
    if (all.length > MAX_VARIANTS) return undefined
  }
  return all
}

function plain(text: string): WordPart[] {
  const parts: WordPart[] = []
  for (const piece of text.split(/([*?]|\[[^\]]*\])/)) {
    if (piece === '') continue
    const at = { pos: 0, end: 0, text: piece, value: piece }
    parts.push(/^[*?[]/.test(piece) ? { type: 'Glob', kind: 'star', ...at } : { type: 'Literal', ...at })
  }
  return parts
}
