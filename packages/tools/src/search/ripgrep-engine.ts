import { isAscii } from 'node:buffer'
import { cp949 } from '../text/cp949.ts'
import type { Engine, Listed, Question, Scope, Searched } from './engine.ts'
import { findRipgrep } from './find-ripgrep.ts'
import { type RipgrepEnd, runRipgrep } from './ripgrep.ts'
import { createRowReader, type Rows } from './row-reader.ts'

/** The engine that asks ripgrep: the one of its package, or another program. */
export function createRipgrepEngine(find: () => Promise<string | undefined> = findRipgrep): Engine {
  let program: Promise<string | undefined> | undefined
  const run = async (scope: Scope, args: readonly string[], onOutput: (bytes: Buffer) => void): Promise<RipgrepEnd> => {
    const { root, rules, names, signal, timeoutMs } = scope
    program ??= find()
    const types = names.length === 0 ? [] : [...names.map((name) => `--type-add=asked:${name}`), '--type=asked']
    const all = [...types, ...args]
    return runRipgrep({ program: await program, cwd: root, args: all, rules, signal, timeoutMs, onOutput })
  }
  return {
    async list(scope) {
      const output: Buffer[] = []
      const end = await run(scope, ['--files', '--null'], (bytes) => output.push(bytes))
      if (end.kind === 'ended') return listedOf(end, Buffer.concat(output))
      return end.kind === 'refused' ? { kind: 'unusable', why: end.words } : end
    },
    async search(scope, question, witness) {
      const rows = createRowReader(witness)
      const plain = await run(scope, argumentsFor(question), rows.push)
      // It says so itself when look-around or back references need its other engine, which is slower.
      const needsMore = plain.kind === 'refused' && question.isRegex && plain.words.includes('--pcre2')
      const end = needsMore ? await run(scope, [...argumentsForRegex(question.query), '--pcre2'], rows.push) : plain
      return end.kind === 'ended' ? searchedOf(end, rows.end()) : end
    },
  }
}

type Ended = Extract<RipgrepEnd, { kind: 'ended' }>

function listedOf({ unreadable, stop }: Ended, output: Buffer): Listed {
  // What comes after the last NUL of a search that was ended is half a name.
  const text = output.toString('utf8', 0, output.lastIndexOf(0) + 1)
  const { paths, unnamed } = isAscii(output) ? { paths: text, unnamed: 0 } : withoutUnnamed(text)
  return { kind: 'listed', paths, unreadable: unreadable + unnamed, ...(stop && { stop }) }
}

// Names that are no text cannot be asked for, so they are only counted.
function withoutUnnamed(text: string): { paths: string; unnamed: number } {
  if (!text.includes('\uFFFD')) return { paths: text, unnamed: 0 }
  let unnamed = 0
  const paths = text.replace(/[^\0\uFFFD]*\uFFFD[^\0]*\0/g, () => {
    unnamed++
    return ''
  })
  return { paths, unnamed }
}

function searchedOf({ unreadable, stop }: Ended, { binary, unnamed }: Rows): Searched {
  return { kind: 'searched', binary, large: 0, unreadable: unreadable + unnamed, ...(stop && { stop }) }
}

// Not `--binary`: it would read every image and archive to its end.
const ROWS = ['--heading', '--null', '--line-number', '--only-matching', '--replace=']

function argumentsFor({ query, isRegex }: Question): string[] {
  if (isRegex) return argumentsForRegex(withKoreanBytes(query))
  const bytes = koreanBytesOf(query)
  if (bytes === undefined) return [...ROWS, '--fixed-strings', `--regexp=${query}`]
  return [...ROWS, `--regexp=${escapeRegex(query)}`, `--regexp=${bytes}`]
}

function argumentsForRegex(pattern: string): string[] {
  return [...ROWS, '--column', '--crlf', `--regexp=${pattern}`]
}

function escapeRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&')
}

// ripgrep knows UTF-8, and UTF-16 by its mark. A Korean word in CP949 is other bytes, which can be asked for as well.
function koreanBytesOf(text: string): string | undefined {
  if (!/\P{ASCII}/u.test(text)) return undefined
  const pieces = [...text].map((character) => cp949()?.bytesOf(character))
  if (pieces.includes(undefined)) return undefined
  return `(?-u:${pieces
    .flatMap((piece) => piece ?? [])
    .map(hexByte)
    .join('')})`
}

function hexByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}

// In a regex this goes character by character, and not inside of brackets.
function withKoreanBytes(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\P{ASCII}/gsu, (piece) => {
    const bytes = /^\P{ASCII}$/u.test(piece) ? koreanBytesOf(piece) : undefined
    return bytes === undefined ? piece : `(?:${piece}|${bytes})`
  })
}
