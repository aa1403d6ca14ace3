import { decodeEntity, ENTITY } from './entities.ts'
import { flankingOf } from './flanking.ts'
import {
  type InlineReader,
  markPending,
  matchHere,
  openReader,
  pairRuns,
  pushAtom,
  pushPlain,
} from './inline-reader.ts'
import { readAddress, readAngle, readBracket, readBracketEnd } from './links.ts'
import { MARKS, type Span } from './span.ts'

// Without any of these there is nothing to read; most cells of tables are so.
const SPECIAL = /[\\`*_~[\]!<&\n]|https?:\/\//
const PLAIN = /(?:[^\\`*_~[\]!<&\nh]|h(?!ttps?:\/\/))+/y
const RUN = /\*+|_+|~+/y
const TICKS = /`+/y
const PUNCTUATION = /[!-/:-@[-`{-~]/

/** The spans of a paragraph, a heading or a table's cell, in time linear to its length. */
export function parseInline(source: string, { isUnderWay = false }: { isUnderWay?: boolean } = {}): Span[] {
  if (!SPECIAL.test(source)) return source === '' ? [] : [{ text: source, marks: 0 }]
  const reader = readInline(source, { isUnderWay })
  const spans: Span[] = []
  for (const [index, around] of marksAround(reader).entries()) {
    const { text, marks } = reader.nodes[index] ?? { text: '', marks: 0 }
    const all = marks | around
    const last = spans.at(-1)
    // Two pieces of code side by side are still two.
    if (last && last.marks === all && (all & MARKS.code) === 0)
      spans[spans.length - 1] = { text: last.text + text, marks: all }
    else if (text !== '') spans.push({ text, marks: all })
  }
  return spans
}

/** Reads a text to its end; what its runs mean is worked out. */
export function readInline(source: string, options: { isUnderWay: boolean }): InlineReader {
  const reader = openReader(source, options)
  while (reader.at < source.length) {
    const plain = matchHere(reader, PLAIN)
    if (plain) pushPlain(reader, plain[0].length)
    else READERS[source[reader.at] ?? '']?.(reader)
  }
  for (const { node, sign, left } of pairRuns(reader, 0)) {
    const run = reader.nodes[node]
    if (!run) continue
    markPending(reader, run.at)
    if (!reader.isUnderWay || sign !== '*' || left < 2) continue
    run.text = sign.repeat(left - 2)
    reader.ranges.push({ first: node + 1, end: reader.nodes.length, mark: MARKS.strong })
  }
  for (const { at } of reader.brackets) markPending(reader, at)
  return reader
}

/** For each node, the marks of all ranges that it lies in. */
export function marksAround({ nodes, ranges }: InlineReader): number[] {
  const around = nodes.map(() => 0)
  if (ranges.length === 0) return around
  for (const mark of Object.values(MARKS)) {
    const changes = new Map<number, number>()
    for (const range of ranges) {
      if (range.mark !== mark) continue
      changes.set(range.first, (changes.get(range.first) ?? 0) + 1)
      changes.set(range.end, (changes.get(range.end) ?? 0) - 1)
    }
    if (changes.size === 0) continue
    let depth = 0
    for (let index = 0; index < around.length; index++) {
      depth += changes.get(index) ?? 0
      if (depth > 0) around[index] = (around[index] ?? 0) | mark
    }
  }
  return around
}

const READERS: Readonly<Record<string, (reader: InlineReader) => void>> = {
  '\\': readEscape,
  '`': readCode,
  '*': readRun,
  _: readRun,
  '~': readRun,
  '[': readBracket,
  '!': readBracket,
  ']': readBracketEnd,
  '<': readAngle,
  '&': readEntity,
  '\n': readLineEnd,
  h: readAddress,
}

function readEscape(reader: InlineReader): void {
  const next = reader.source[reader.at + 1] ?? ''
  if (next === '\n') pushAtom(reader, '\n', { length: 2 + blanksAt(reader, reader.at + 2) })
  else if (PUNCTUATION.test(next)) pushAtom(reader, next, { length: 2 })
  else pushPlain(reader, 1)
}

function readCode(reader: InlineReader): void {
  const length = matchHere(reader, TICKS)?.[0].length ?? 1
  const start = reader.at + length
  const runs = reader.ticks.get(length)
  while (runs && (runs.starts[runs.passed] ?? Number.POSITIVE_INFINITY) < start) runs.passed++
  const end = runs?.starts[runs.passed]
  if (end === undefined) markPending(reader, reader.at)
  const isGuess = end === undefined && reader.isUnderWay && length === 1 && start < reader.source.length
  if (end !== undefined) pushCode(reader, { start, end, behind: end + length })
  else if (isGuess) pushCode(reader, { start, end: reader.source.length, behind: reader.source.length })
  else pushPlain(reader, length)
}

function pushCode(reader: InlineReader, { start, end, behind }: { start: number; end: number; behind: number }): void {
  const inside = reader.source.slice(start, end).replaceAll('\n', ' ')
  // A blank on both sides is there to keep backticks apart.
  const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== ''
  pushAtom(reader, isPadded ? inside.slice(1, -1) : inside, { length: behind - reader.at, marks: MARKS.code })
}

function readRun(reader: InlineReader): void {
  const run = matchHere(reader, RUN)?.[0] ?? ''
  const sign = run[0] ?? ''
  const flanking = flankingOf(reader.source, reader.at, reader.at + run.length)
  const canMean = (flanking.canOpen || flanking.canClose) && (sign !== '~' || run.length === 2)
  if (!canMean) pushPlain(reader, run.length)
  else {
    reader.delimiters.push({ node: reader.nodes.length, sign, length: run.length, left: run.length, ...flanking })
    pushAtom(reader, run, { length: run.length })
  }
}

function readEntity(reader: InlineReader): void {
  const match = matchHere(reader, ENTITY)
  if (match) pushAtom(reader, decodeEntity(match), { length: match[0].length })
  else pushPlain(reader, 1)
}

// Two blanks before it, and it is a break that the author wanted.
function readLineEnd(reader: InlineReader): void {
  const last = reader.nodes.at(-1)
  const text = last?.isPlain ? last.text.trimEnd() : undefined
  const isBreak = last !== undefined && text !== undefined && last.text.length - text.length >= 2
  if (last && text !== undefined) last.text = text
  reader.nodes.push({ text: isBreak ? '\n' : ' ', marks: 0, at: reader.at, isPlain: !isBreak })
  reader.at += 1 + blanksAt(reader, reader.at + 1)
}

function blanksAt({ source }: InlineReader, start: number): number {
  let end = start
  while (source[end] === ' ') end++
  return end - start
}
