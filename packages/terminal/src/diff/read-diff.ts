/** A line of a patch, by what it does. */
export type DiffLine =
  /** Which file, or what happens to it. */
  | { readonly kind: 'file'; readonly text: string }
  /** Where in the file: `@@ … @@`. */
  | { readonly kind: 'place'; readonly text: string }
  /** Anything around it. */
  | { readonly kind: 'note'; readonly text: string }
  | ChangeLine

/** A line of a file that stays, goes or comes, with its number where the patch says it. */
export interface ChangeLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  readonly number: number | undefined
}

type Numbers = { old: number | undefined; fresh: number | undefined }

/** Where in a patch the reader stands. */
interface State {
  mode: 'outside' | 'hunk' | 'added-file' | 'search' | 'replace'
  numbers: Numbers
  /** How many lines the hunk's header still promises; without any, only signs tell. */
  left: Numbers
  isEnvelope: boolean
}

const HUNK = /^@@+ *-(\d{1,9})(?:,(\d{1,9}))? +\+(\d{1,9})(?:,(\d{1,9}))? *@@/
const ENVELOPE_FILE = /^\*\*\* (Add|Update|Delete) File:/
const SEARCH = /^ {0,3}(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)\b/
const DIVIDER = /^ {0,3}={5,9}\s*$/
const REPLACE = /^ {0,3}(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\b/

/** Reads a unified diff, a `*** Begin Patch` or blocks of SEARCH and REPLACE for showing; nothing is left out. */
export function readDiff(patch: string): DiffLine[] {
  const lines = patch.replace(/\n$/, '').split('\n')
  const state: State = { mode: 'outside', numbers: unknown(), left: unknown(), isEnvelope: false }
  return lines.map((line, at) => readOne(state, line, lines[at + 1] ?? ''))
}

function readOne(state: State, line: string, next: string): DiffLine {
  if (state.mode === 'search' || state.mode === 'replace') return readBlockLine(state, line)
  const isInside = state.mode === 'hunk' && promises(state)
  const header = isInside && /^[-+ ]/.test(line) ? undefined : readHeader(state, line, next)
  if (header) return header
  if (state.mode === 'outside') return { kind: 'note', text: line }
  if (line.startsWith('\\ ')) return { kind: 'note', text: line }
  return readChange(state, line)
}

function readHeader(state: State, line: string, next: string): DiffLine | undefined {
  const [, oldStart, oldCount = '1', freshStart, freshCount = '1'] = HUNK.exec(line) ?? []
  if (oldStart !== undefined) {
    state.mode = 'hunk'
    state.numbers = { old: Number(oldStart), fresh: Number(freshStart) }
    state.left = { old: Number(oldCount), fresh: Number(freshCount) }
    return { kind: 'place', text: line }
  }
  if (line.startsWith('@@')) {
    enter(state, 'hunk')
    return { kind: 'place', text: line }
  }
  const [, verb] = ENVELOPE_FILE.exec(line) ?? []
  if (verb !== undefined) {
    state.isEnvelope = true
    enter(state, verb === 'Add' ? 'added-file' : verb === 'Update' ? 'hunk' : 'outside')
    if (verb === 'Add') state.numbers = { old: undefined, fresh: 1 }
    return { kind: 'file', text: line }
  }
  if (/^\*\*\* (?:Begin Patch|End Patch|End of File)/.test(line)) {
    if (!line.startsWith('*** End of')) enter(state, 'outside')
    return { kind: 'note', text: line }
  }
  if (line.startsWith('*** Move to:')) return { kind: 'file', text: line }
  if (SEARCH.test(line)) {
    enter(state, 'search')
    return { kind: 'place', text: line }
  }
  // In an envelope only stars begin anything: `--- x` is a line `-- x` that goes.
  if (state.isEnvelope) return undefined
  return readFileHeader(state, line, next)
}

function readFileHeader(state: State, line: string, next: string): DiffLine | undefined {
  const isPair = line.startsWith('--- ') && next.startsWith('+++ ')
  const isSecond = line.startsWith('+++ ') && state.mode === 'outside'
  if (isPair || isSecond) {
    enter(state, 'outside')
    return { kind: 'file', text: line }
  }
  if (!/^(?:diff --git |Index: )/.test(line)) return undefined
  enter(state, 'outside')
  return { kind: 'note', text: line }
}

function readBlockLine(state: State, line: string): DiffLine {
  if (state.mode === 'search' && DIVIDER.test(line)) {
    state.mode = 'replace'
    return { kind: 'place', text: line }
  }
  if (REPLACE.test(line)) {
    state.mode = 'outside'
    return { kind: 'place', text: line }
  }
  return { kind: state.mode === 'search' ? 'removed' : 'added', text: line, number: undefined }
}

function readChange(state: State, line: string): ChangeLine {
  const { numbers, left } = state
  const sign = line[0]
  const isSigned = sign === '+' || sign === '-' || sign === ' '
  const text = isSigned ? line.slice(1) : line
  const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same'
  const number = kind === 'removed' ? numbers.old : numbers.fresh
  if (kind !== 'added') {
    numbers.old = stepped(numbers.old, 1)
    left.old = stepped(left.old, -1)
  }
  if (kind !== 'removed') {
    numbers.fresh = stepped(numbers.fresh, 1)
    left.fresh = stepped(left.fresh, -1)
  }
  return { kind, text, number }
}

function stepped(number: number | undefined, by: number): number | undefined {
  return number === undefined ? undefined : number + by
}

function promises({ left }: State): boolean {
  return (left.old ?? 0) > 0 || (left.fresh ?? 0) > 0
}

function enter(state: State, mode: State['mode']): void {
  state.mode = mode
  state.numbers = unknown()
  state.left = unknown()
}

function unknown(): Numbers {
  return { old: undefined, fresh: undefined }
}
