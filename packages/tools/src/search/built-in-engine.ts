import { createContext, Script } from 'node:vm'
import { readText } from '../text/read-text.ts'
import { byteAt } from './columns.ts'
import type { Engine, Question, Refused, Witness } from './engine.ts'
import { HEAD_BYTES } from './safe-tree.ts'
import { translateRegex } from './translate-regex.ts'
import { walkTree } from './walk-tree.ts'

/** Files above this are not searched here; ripgrep searches any. */
const MAX_BYTES = 64 * 1024 * 1024
// A regex can take for ever on one file; it is interrupted, and the others go on.
const MAX_MS_PER_FILE = 1_000

/** The engine for machines without a ripgrep of theirs: the same answers, in more time. */
export function createBuiltInEngine(): Engine {
  return {
    async list(scope) {
      let paths = ''
      const end = await walkTree(scope, (path) => {
        paths += `./${path}\0`
      })
      return { kind: 'listed', paths, ...end }
    },
    async search(scope, question, witness) {
      const matcher = createMatcher(question)
      if (matcher.kind === 'refused') return matcher
      const tally: Tally = { binary: 0, large: 0, unreadable: 0 }
      const end = await walkTree(scope, (path) => {
        const file = scope.tree.read(path, MAX_BYTES)
        if (file === undefined) tally.unreadable++
        else if (file.kind === 'file') lookInto(file.bytes, path, { matcher, tally, witness })
        else if (!file.head.includes(0)) tally.large++
      })
      return { kind: 'searched', ...tally, ...end, unreadable: tally.unreadable + end.unreadable }
    },
  }
}

type Matcher = { kind: 'matcher'; find(text: string): Found | undefined }
type Found = { matches: number; places: { line: number; index: number; text: string }[] }
type Tally = { binary: number; large: number; unreadable: number }

interface Search {
  readonly matcher: Matcher
  readonly tally: Tally
  readonly witness: Witness
}

function lookInto(bytes: Buffer, path: string, { matcher, tally, witness }: Search): void {
  const content = readText(bytes)
  // Without a mark a NUL byte means binary, as it does to ripgrep; other odd files are searched as they are.
  const nul = 'bom' in content && content.bom ? -1 : bytes.indexOf(0)
  const isBinary = nul >= 0
  // What ripgrep would have seen by then: it looks at so many bytes at once.
  const seen = isBinary ? bytes.subarray(0, nul - (nul % HEAD_BYTES)) : bytes
  const found = matcher.find('text' in content && !isBinary ? content.text : seen.toString('utf8'))
  if (found === undefined) tally.unreadable++
  else if (found.matches > 0 && isBinary) tally.binary++
  else if (found.matches > 0 && witness.see(path, found.matches, found.places.length)) {
    const encoding = 'encoding' in content ? content.encoding : 'utf-8'
    const places = found.places.map(({ line, index, text }) => ({ line, column: byteAt(text, index, encoding) }))
    const { matches } = found
    witness.keep({ path, matches, lines: places.length, places: (limit) => places.slice(0, limit) })
  }
}

function createMatcher({ query, isRegex }: Question): Matcher | Refused {
  if (!isRegex) {
    const find = (text: string) =>
      text.includes(query) ? findInLines(text, (line) => literalsIn(line, query)) : NOTHING
    return { kind: 'matcher', find }
  }
  const translated = translateRegex(query)
  if (translated.kind === 'refused') return translated
  const { regex } = translated
  return { kind: 'matcher', find: withinTime((text) => findInLines(text, (line) => matchesIn(line, regex))) }
}

const NOTHING: Found = { matches: 0, places: [] }

function literalsIn(line: string, query: string): number[] {
  const indices: number[] = []
  for (let at = line.indexOf(query); at >= 0; at = line.indexOf(query, at + query.length)) indices.push(at)
  return indices
}

function matchesIn(line: string, regex: RegExp): number[] {
  return Array.from(line.matchAll(regex), ({ index }) => index)
}

function findInLines(text: string, find: (line: string) => number[]): Found {
  const lines = text.split('\n')
  // A final newline ends the last line and begins none.
  if (lines.at(-1) === '') lines.pop()
  const places: Found['places'] = []
  let matches = 0
  for (const [at, ended] of lines.entries()) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    const [index, ...others] = find(line)
    if (index === undefined) continue
    matches += 1 + others.length
    places.push({ line: at + 1, index, text: line })
  }
  return { matches, places }
}

// Node can interrupt what runs in a script of its own, also in the middle of a match.
function withinTime(find: (text: string) => Found): (text: string) => Found | undefined {
  let text = ''
  let found: Found | undefined
  const script = new Script('run()')
  const context = createContext({
    run() {
      found = find(text)
    },
  })
  return (own) => {
    text = own
    found = undefined
    try {
      script.runInContext(context, { timeout: MAX_MS_PER_FILE })
    } catch (error) {
      // It is an error of that context, so no instance of our own.
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    }
    return found
  }
}
