import { findMasks } from './mask-format.ts'
import { strengthOf } from './secret-names.ts'
import { mergeSpans, type Span } from './span.ts'

/**
 * The values of a file that is secret by its name. Names, comments and structure are not values; in a form that is not
 * known, all of it is.
 */
export function findFileValues(text: string, path: string): Span[] {
  const masks = findMasks(text)
  const spans = findValues(text, path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '')
  return mergeSpans(spans).filter(
    ({ start, end }) => end > start && !masks.some((mask) => mask.start < end && mask.end > start),
  )
}

const KIND = 'file-value'

/** Files that are not secret, but hold tokens beside other settings: only values whose names say so are masked. */
const TOKEN_FILE = /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|pip\.conf|\.terraformrc|kubeconfig)$/

function findValues(text: string, name: string): Span[] {
  if (TOKEN_FILE.test(name)) return findPairs(text, (key) => strengthOf(key) !== undefined)
  if (/\.(?:json|jsonc)$/.test(name) || /^\s*(?:\{|\[\s*["{[\d])/.test(text)) return findJsonValues(text)
  if (/^(?:\.netrc|_netrc)$/.test(name)) return findWords(text, /\b(?:password|login|account)[ \t]+(\S+)/g)
  if (/^\.?pgpass(?:\.conf)?$/.test(name)) return findWords(text, /^(?!#)(?:(?:\\.|[^:\n\\])*:){4}(.+?)\r?$/gm)
  if (/^\.git-credentials$/.test(name)) return findWords(text, /:\/\/[^:/\s]*:([^@\s]+)@/g)
  if (/^known_hosts|\.pub$|^config$|^authorized_keys/.test(name)) return findPairs(text)
  if (/-----BEGIN /.test(text) || /\.(?:pem|key|p12|pfx|ppk|asc|gpg)$|^id_[a-z0-9]+$/.test(name)) return findLines(text)
  return isPairs(text) ? findPairs(text) : findLines(text)
}

const PAIR =
  /^([ \t]*(?:(?:export|set|setx)[ \t]+)?(?:-[ \t]+)?["']?[\w.@/:*\u0080-\uffff-]+["']?[ \t]*(?:=|:(?=[ \t]|$))[ \t]*)(.*?)[ \t]*\r?$/gm

function isPairs(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.filter((line) =>
    /^\s*(?:[#;[]|(?:export |set )?["']?[\w.@/:*\u0080-\uffff-]+["']?\s*[=:])/.test(line),
  )
  return pairs.length >= lines.length / 2
}

// NAME=VALUE, NAME: VALUE; quotes stay outside, a value may go on over lines inside of them.
function findPairs(text: string, isWanted: (name: string) => boolean = ALL): Span[] {
  const spans: Span[] = []
  const closes: number[] = []
  PAIR.lastIndex = 0
  for (let match = PAIR.exec(text); match; match = PAIR.exec(text)) {
    const [, name = '', value = ''] = match
    const start = match.index + name.length
    if (/^[#;]/.test(name.trimStart()) || value === '' || !isWanted(name.replace(/[\s=:"']+$/, ''))) continue
    if (isWanted !== ALL && /^["']?\$\{/.test(value)) continue
    const quote = /^["'`]/.exec(value)?.[0]
    if (quote === undefined) {
      const plain = /^[|>][+-]?$/.test(value) ? '' : value.replace(/[ \t]+#.*$/, '')
      pushLines(text, { start, end: start + plain.length }, spans)
      continue
    }
    const close = findQuote(text, start + 1, quote)
    if (text[close] === quote) closes.push(close)
    pushLines(text, { start: start + 1, end: close }, spans)
    PAIR.lastIndex = Math.max(PAIR.lastIndex, close)
  }
  // What is neither a name with its value nor a remark belongs to a value above.
  return isWanted === ALL ? spans.concat(findLoose(text, { taken: spans, closes })) : spans
}

const ALL = () => true
const LONGEST_QUOTED = 64 * 1024

function findQuote(text: string, from: number, quote: string): number {
  const most = Math.min(text.length, from + LONGEST_QUOTED)
  for (let at = from; at < most; at++) {
    if (text[at] === '\\' && quote !== "'") at++
    else if (text[at] === quote) return at
  }
  const lineEnd = text.indexOf('\n', from)
  return lineEnd < 0 ? text.length : lineEnd
}

function findLoose(text: string, { taken, closes }: { taken: readonly Span[]; closes: readonly number[] }): Span[] {
  const spans: Span[] = []
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end)
    if (line.trim() === '' || /^\s*(?:[#;]|\[[^\]]*\]\s*$)/.test(line)) continue
    if (/^\s*(?:(?:export|set)\s+)?(?:-\s+)?["']?[\w.@/:*\u0080-\uffff-]+["']?\s*(?:=|:(?=\s|$))/.test(line)) continue
    if (taken.some((span) => span.start < end && span.end > start)) continue
    // A quote that ends a value is structure: were it masked, the value would end elsewhere when it is read again.
    const close = closes.find((at) => at >= start && at < end)
    pushLines(text, { start: close === undefined ? start : close + 1, end }, spans)
  }
  return spans
}

function findJsonValues(text: string): Span[] {
  const spans: Span[] = []
  // A string that a colon follows is a name.
  const pattern = /"((?:\\.|[^"\\\n])*)"([ \t]*:)?|(?<=[:[,][ \t]*)(-?\d[\d.eE+-]*)/g
  for (const match of text.matchAll(pattern)) {
    const [, string, name, number] = match
    const value = string ?? number ?? ''
    const start = match.index + (string === undefined ? 0 : 1)
    if (value !== '' && name === undefined) spans.push({ start, end: start + value.length, kind: KIND })
  }
  return spans
}

function findWords(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = match[1] ?? ''
    const start = match.index + match[0].lastIndexOf(value)
    return value === '' ? [] : [{ start, end: start + value.length, kind: KIND }]
  })
}

function findLines(text: string): Span[] {
  const spans: Span[] = []
  for (const line of linesOf(text)) {
    // Which kind of key it is may be known; a certificate or a public key is no secret, but nobody needs it either.
    if (!/^-----(?:BEGIN|END) (?!.*PRIVATE)/.test(text.slice(line.start, line.end))) pushLines(text, line, spans)
  }
  return spans
}

function linesOf(text: string): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    lines.push({ start, end: text[end - 1] === '\r' ? end - 1 : end })
    start = newline < 0 ? text.length : newline + 1
  }
  return lines
}

// Each line for itself, so that lines stay lines; blanks around it are structure.
function pushLines(text: string, { start, end }: { start: number; end: number }, spans: Span[]): void {
  for (const line of linesOf(text.slice(start, end))) {
    const written = text.slice(start + line.start, start + line.end)
    const lead = written.length - written.trimStart().length
    const value = written.trim()
    if (value === '') continue
    const from = start + line.start + lead
    spans.push({ start: from, end: from + value.length, kind: KIND })
  }
}
