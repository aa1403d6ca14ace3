import { isAscii } from 'node:buffer'
import type { Place, Sighting, Witness } from './engine.ts'

const NEWLINE = 0x0a
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

/** What ripgrep said about a whole tree, besides the files that it found. */
export interface Rows {
  /** Files with a match that turned out to be binary further on. */
  readonly binary: number
  /** Files whose names are no text: they cannot be named, so they are only counted. */
  readonly unnamed: number
}

/** Reads what ripgrep prints, piece by piece. */
export interface RowReader {
  push(output: Buffer): void
  end(): Rows
}

/**
 * Reads what `rg --heading --null --line-number --only-matching --replace=` prints: for each file its path, a NUL, a row
 * `LINE:` or `LINE:COLUMN:` for each match, and an empty row; one sentence where a file turns out to be binary.
 */
export function createRowReader(witness: Witness): RowReader {
  const tally = { binary: 0, unnamed: 0 }
  let isPlain = true
  let rest = ''
  return {
    push(output) {
      isPlain &&= isAscii(output)
      // One string for all, of which the paths are slices; what is not ASCII is put right where it is used.
      const text = rest + output.toString('latin1')
      const end = text.lastIndexOf('\n\n') + 1
      rest = text.slice(end)
      if (end > 0) readRows(text.slice(0, end), { witness, isPlain, tally })
    },
    end() {
      readRows(rest, { witness, isPlain, tally })
      return tally
    },
  }
}

interface Reading {
  readonly witness: Witness
  readonly isPlain: boolean
  readonly tally: { binary: number; unnamed: number }
}

function readRows(text: string, { witness, isPlain, tally }: Reading): void {
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) === NEWLINE) {
      at++
      continue
    }
    const heading = findHeading(text, at)
    if (heading === undefined) break
    const written = text.slice(at + './'.length, heading.end)
    at = heading.next
    if (heading.isBinary) {
      tally.binary++
      continue
    }
    const rows = countRows(text, at)
    at = rows.end
    // What was seen before the first NUL byte of a file is of a binary file too; the sentence about it comes next.
    if (rows.matches === 0 || (text.charCodeAt(at) === DOT && text.startsWith(`./${written}: `, at))) continue
    const path = isPlain ? written : readPath(written)
    if (path === undefined) tally.unnamed++
    else if (witness.see(path, rows.matches, rows.lines)) witness.keep(new RowSighting(path, text, rows))
  }
}

/** Where a path ends and what follows begins. */
function findHeading(text: string, start: number): { end: number; next: number; isBinary: boolean } | undefined {
  const nul = text.indexOf('\0', start)
  let newline = text.indexOf('\n', start)
  while (newline >= 0 && (nul < 0 || newline < nul)) {
    // Either the sentence about a binary file, or a newline in a name.
    const words = text.slice(start, newline)
    const sentence = /: (?:binary file matches|WARNING: stopped searching binary file) .*$/.exec(words)
    if (sentence) return { end: start + sentence.index, next: newline + 1, isBinary: true }
    newline = text.indexOf('\n', newline + 1)
  }
  return nul < 0 ? undefined : { end: nul, next: nul + 1, isBinary: false }
}

function readPath(path: string): string | undefined {
  const name = Buffer.from(path, 'latin1').toString('utf8')
  return name.includes('\uFFFD') ? undefined : name
}

/** Counts rows until an empty one or another path; the last row of a search that was ended may be half a row. */
function countRows(text: string, start: number): RowCount {
  let matches = 0
  let lines = 0
  let last = -1
  let at = start
  while (at < text.length) {
    let line = 0
    let end = at
    let code = text.charCodeAt(end)
    if (code < ZERO || code > NINE) break
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++end)) line = line * 10 + code - ZERO
    while (code !== NEWLINE && end < text.length) code = text.charCodeAt(++end)
    at = end + 1
    if (end >= text.length) break
    matches++
    if (line !== last) lines++
    last = line
  }
  return { matches, lines, start, end: at }
}

type RowCount = { matches: number; lines: number; start: number; end: number }

class RowSighting implements Sighting {
  readonly path: string
  readonly matches: number
  readonly lines: number
  readonly #text: string
  readonly #start: number
  readonly #end: number

  constructor(path: string, text: string, rows: RowCount) {
    this.path = path
    this.matches = rows.matches
    this.lines = rows.lines
    this.#text = text
    this.#start = rows.start
    this.#end = rows.end
  }

  places(limit: number): Place[] {
    const places: Place[] = []
    for (let at = this.#start; at < this.#end && places.length < limit; ) {
      const end = this.#text.indexOf('\n', at)
      const [line, column] = this.#text.slice(at, end).split(':')
      if (places.at(-1)?.line !== Number(line))
        places.push({ line: Number(line), ...(column && { column: Number(column) - 1 }) })
      at = end + 1
    }
    return places
  }
}
