/** What a line would begin, seen by itself. */
export type BlockStart =
  | { readonly kind: 'text' }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'fence' }
  | { readonly kind: 'quote'; readonly rest: string }
  | ItemStart

export interface ItemStart {
  readonly kind: 'item'
  /** `-`, `*`, `+`, or what stands behind a number: another one begins another list. */
  readonly sign: string
  readonly number?: number
  /** A task, done or not. */
  readonly isDone?: boolean
  /** How far in the other lines of the item stand. */
  readonly indent: number
  readonly rest: string
}

const ITEM = /^( *)(?:([-+*])|(\d{1,9})([.)]))( +|$)/

/** Classifies a line that is not blank. Items of a list inside another may stand as far in as their author likes. */
export function blockStart(line: string, { isInList }: { isInList: boolean }): BlockStart {
  const indent = indentOf(line)
  const item = indent < 4 || isInList ? itemOf(line) : undefined
  if (indent < 4) {
    if (/^(?:\*{3,}|-{3,}|_{3,})$/.test(line.replaceAll(' ', ''))) return { kind: 'rule' }
    if (line[indent] === '>') return { kind: 'quote', rest: line.slice(indent + 1).replace(/^ /, '') }
    if (/^ *(?:`{3,}[^`]*$|~{3,})/.test(line)) return { kind: 'fence' }
    const [, marks, words = ''] = /^ *(#{1,6})(?: (.*))?$/.exec(line) ?? []
    if (marks !== undefined) return { kind: 'heading', level: marks.length, text: withoutMarks(words.trim()) }
  }
  return item ?? { kind: 'text' }
}

/** How many blanks a line begins with. */
export function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

function withoutMarks(words: string): string {
  let end = words.length
  while (words[end - 1] === '#') end--
  return end === 0 || words[end - 1] === ' ' ? words.slice(0, end).trimEnd() : words
}

function itemOf(line: string): ItemStart | undefined {
  const [whole, before = '', bullet, digits, behind = '', blanks = ''] = ITEM.exec(line) ?? []
  if (whole === undefined) return undefined
  const mark = bullet ?? `${digits}${behind}`
  const width = whole.length === line.length || blanks.length > 4 ? 1 : blanks.length
  const indent = before.length + mark.length + width
  const [box = '', state] = /^\[([ xX])\] +(?=\S)/.exec(line.slice(indent)) ?? []
  return {
    kind: 'item',
    sign: bullet ?? behind,
    ...(digits !== undefined && { number: Number(digits) }),
    ...(state !== undefined && { isDone: state !== ' ' }),
    indent,
    rest: line.slice(indent + box.length),
  }
}
