import { type Delimiter, pairDelimiters, type Range } from './emphasis.ts'

/** A stretch of a paragraph as it was read; the marks of the ranges around it come on top of its own. */
export interface Node {
  text: string
  readonly marks: number
  /** Where it begins in the source. */
  readonly at: number
  /** It stands in the source as it is, so that it can be cut anywhere. */
  readonly isPlain: boolean
}

/** A `[` or `![` that may begin a link. */
export interface Bracket {
  readonly node: number
  readonly at: number
  readonly isImage: boolean
  /** How many delimiters stood before it. */
  readonly delimiters: number
}

/** The state of one reading, from the first letter of a paragraph to its last. */
export interface InlineReader {
  readonly source: string
  at: number
  readonly nodes: Node[]
  readonly ranges: Range[]
  delimiters: Delimiter[]
  brackets: Bracket[]
  /** Where something begins that more text could still complete. */
  pending: number
  /** The text is not at its end yet: what has begun is shown as if it ended here. */
  readonly isUnderWay: boolean
  /** Where runs of backticks begin, by their length; the number is how many of them lie behind. */
  readonly ticks: Map<number, { readonly starts: number[]; passed: number }>
}

/** A reader at the beginning of its text. */
export function openReader(source: string, { isUnderWay }: { isUnderWay: boolean }): InlineReader {
  const ticks: InlineReader['ticks'] = new Map()
  if (source.includes('`')) {
    for (const { 0: run, index } of source.matchAll(/`+/g)) {
      const known = ticks.get(run.length)
      if (known) known.starts.push(index)
      else ticks.set(run.length, { starts: [index], passed: 0 })
    }
  }
  return {
    source,
    at: 0,
    nodes: [],
    ranges: [],
    delimiters: [],
    brackets: [],
    pending: Number.POSITIVE_INFINITY,
    isUnderWay,
    ticks,
  }
}

/** Takes `length` signs of the source for a node that cannot be cut. */
export function pushAtom(
  reader: InlineReader,
  text: string,
  { length, marks = 0 }: { length: number; marks?: number },
) {
  reader.nodes.push({ text, marks, at: reader.at, isPlain: false })
  reader.at += length
}

/** Takes `length` signs of the source as they are. */
export function pushPlain(reader: InlineReader, length: number): void {
  const text = reader.source.slice(reader.at, reader.at + length)
  reader.nodes.push({ text, marks: 0, at: reader.at, isPlain: true })
  reader.at += length
}

/** What a sticky expression finds where the reader stands. */
export function matchHere(reader: InlineReader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at
  return expression.exec(reader.source)
}

/** Notes that the text from `at` on can still change its meaning. */
export function markPending(reader: InlineReader, at: number): void {
  reader.pending = Math.min(reader.pending, at)
}

/** Works out what the runs of signs from one of them on mean, and gives those that still wait for an end. */
export function pairRuns(reader: InlineReader, first: number): readonly Delimiter[] {
  if (reader.delimiters.length === first) return []
  const delimiters = reader.delimiters.splice(first)
  const { ranges, open } = pairDelimiters(delimiters)
  for (const range of ranges) reader.ranges.push(range)
  for (const { node, sign, left } of delimiters) {
    const run = reader.nodes[node]
    // Signs that mean something are not shown; those of struck text are all that shows it.
    if (run && sign !== '~') run.text = sign.repeat(left)
  }
  return open
}
