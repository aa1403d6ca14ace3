/** What a line would begin, seen by itself. */
export type LineKind =
  | { readonly kind: 'text' }
  /** Four blanks or more: code, unless a paragraph goes on. */
  | { readonly kind: 'indented' }
  | { readonly kind: 'quote'; readonly rest: string }
  | ItemStart
  | { readonly kind: 'fence'; readonly fence: string; readonly indent: number; readonly language: string | undefined }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'html' }

/** The beginning of an item, with what stands behind its mark. */
export interface ItemStart {
  readonly kind: 'item'
  /** `-`, `*`, `+`, or what stands behind a number. */
  readonly sign: string
  readonly number: number | undefined
  /** `[ ]` or `[x]`. */
  readonly task: string | undefined
  /** How far in the item's other lines have to stand. */
  readonly indent: number
  readonly rest: string
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([^\s{,]*)/
const HEADING = /^ {0,3}(#{1,6})(?: (.*))?$/
const ITEM = /^( {0,3})(?:([-+*])|(\d{1,9})([.)]))( +|$)/
const TASK = /^\[([ xX])\] +(?=\S)/
const HTML =
  /^ {0,3}<(?:!--|[?!]|\/?(?:address|article|aside|blockquote|body|center|details|dialog|div|dl|dt|dd|fieldset|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|meta|nav|ol|p|picture|pre|script|section|style|summary|svg|table|tbody|td|tfoot|th|thead|title|tr|ul|video)(?:[\s/>]|$))/i

/** Classifies a line that is not blank. */
export function kindOfLine(line: string): LineKind {
  if (indentOf(line) >= 4) return { kind: 'indented' }
  const sign = line.trimStart()[0] ?? ''
  // Most lines begin with a letter, and none of the expressions has to look.
  if (!/[`~#*\-_+\d><]/.test(sign)) return TEXT
  if (sign === '>') return { kind: 'quote', rest: line.replace(/^ {0,3}> ?/, '') }
  if (isRule(line)) return { kind: 'rule' }
  if (HTML.test(line)) return { kind: 'html' }
  const [, fence, info] = FENCE.exec(line) ?? []
  if (fence !== undefined) return { kind: 'fence', fence, indent: indentOf(line), language: info || undefined }
  const [, hashes, title = ''] = HEADING.exec(line) ?? []
  if (hashes !== undefined) return { kind: 'heading', level: hashes.length, text: withoutHashes(title) }
  return itemOf(line) ?? TEXT
}

const TEXT: LineKind = { kind: 'text' }

/** How many blanks a line begins with. */
export function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

/** The level of the heading that this line makes of the paragraph above it. */
export function underlineLevel(line: string): number | undefined {
  const text = line.trim()
  if (indentOf(line) >= 4 || !/^(?:=+|-+)$/.test(text)) return undefined
  return text[0] === '=' ? 1 : 2
}

/** Whether a line closes the code that this fence has opened. */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim()
  return indentOf(line) < 4 && text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length)
}

function isRule(line: string): boolean {
  return /^(?:\*{3,}|-{3,}|_{3,})$/.test(line.replaceAll(' ', ''))
}

function withoutHashes(title: string): string {
  const text = title.trim()
  if (!text.endsWith('#')) return text
  const end = text.replace(/#+$/, '')
  return end === '' || end.endsWith(' ') ? end.trimEnd() : text
}

function itemOf(line: string): ItemStart | undefined {
  const [whole, before = '', bullet, digits, behind = '', blanks = ''] = ITEM.exec(line) ?? []
  if (whole === undefined) return undefined
  const mark = bullet ?? `${digits}${behind}`
  // More than four blanks belong to code inside the item; an item that is empty yet has its text one blank in.
  const width = whole.length === line.length || blanks.length > 4 ? 1 : blanks.length
  const indent = before.length + mark.length + width
  const rest = line.slice(indent)
  const [box = '', state] = TASK.exec(rest) ?? []
  return {
    kind: 'item',
    sign: bullet ?? behind,
    number: digits === undefined ? undefined : Number(digits),
    task: state === undefined ? undefined : state === ' ' ? '[ ]' : '[x]',
    indent,
    rest: rest.slice(box.length),
  }
}
