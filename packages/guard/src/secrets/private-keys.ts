import type { Found } from './span.ts'

/** Whether the text before ended inside a private key, and how many lines of it may still come. */
export interface KeyState {
  readonly left: number
}

const BEGIN =
  /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/y
const END = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/g
const MOST_LINES = 2_000
const KIND = 'private-key'

/** Whether a line begins a private key of which nothing else is there yet: what follows it tells what it is. */
export function opensKey(line: string): boolean {
  const at = line.lastIndexOf('-- BEGIN SSH2') >= 0 ? line.lastIndexOf('---- BEGIN') : line.lastIndexOf('-----BEGIN')
  if (at < 0) return false
  BEGIN.lastIndex = at
  return BEGIN.test(line)
}

/** Finds private keys, line by line, so that lines stay lines. Gives the state that the end of the text is in. */
export function findPrivateKeys(text: string, { left }: KeyState, found: Found): KeyState {
  const nextOpening = createOpenings(text)
  let state = left > 0 ? readBody(text, 0, left, found) : { at: 0, left: 0 }
  if (state.left > 0) return { left: state.left }
  for (;;) {
    const opened = nextOpening(state.at)
    if (!opened) return { left: 0 }
    state = { at: opened.end, left: 0 }
    if (opened.lines !== undefined) {
      const next = nextLine(text, opened.end)
      state = next === undefined ? { at: text.length, left: opened.lines } : readBody(text, next, opened.lines, found)
    } else state = readPem(text, opened, found)
    if (state.left > 0) return { left: state.left }
  }
}

interface Opening {
  readonly start: number
  readonly end: number
  /** PuTTY says how many lines there are. */
  readonly lines?: number
}

const PUTTY = /Private-Lines: (\d{1,4})[ \t]*(?=\r?\n|$)/y

/** The next place where a key begins; each kind is looked for again only when its last place is passed. */
function createOpenings(text: string): (from: number) => Opening | undefined {
  const kinds = [
    createFinder(text, '-----BEGIN ', BEGIN),
    createFinder(text, '---- BEGIN SSH2', BEGIN),
    createFinder(text, 'Private-Lines: ', PUTTY),
  ]
  return (from) => {
    let next: Opening | undefined
    for (const find of kinds) {
      const found = find(from)
      if (found && (!next || found.start < next.start)) next = found
    }
    return next
  }
}

function createFinder(text: string, literal: string, pattern: RegExp): (from: number) => Opening | undefined {
  let last: Opening | undefined
  let isOver = false
  return (from) => {
    if (isOver || (last && last.start >= from)) return isOver ? undefined : last
    for (let at = text.indexOf(literal, from); at >= 0; at = text.indexOf(literal, at + 1)) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (!match) continue
      last = { start: at, end: at + match[0].length, ...(match[1] !== undefined && { lines: Number(match[1]) }) }
      return last
    }
    isOver = true
    return undefined
  }
}

interface Reading {
  readonly at: number
  readonly left: number
}

function readPem(text: string, { start, end }: Opening, found: Found): Reading {
  const lineEnd = endOfLine(text, end)
  const line = text.slice(start, lineEnd)
  END.lastIndex = end - start
  const close = END.exec(line)
  if (close) {
    const closed = start + close.index + close[0].length
    if (isBody(text.slice(end, start + close.index).replace(/\\+[nr]|[\s"'+]/g, ''))) found(start, closed, KIND)
    return { at: closed, left: 0 }
  }
  const rest = text.slice(end, lineEnd)
  const next = nextLine(text, lineEnd)
  if (next === undefined) {
    // All that is there of it stands in this line.
    const body = rest.replace(/\\+[nr]|[\s"'+]/g, '')
    if (body.length >= 16 && isBody(body)) found(start, lineEnd, KIND)
    return { at: lineEnd, left: 0 }
  }
  if (!beginsBody(text.slice(next, endOfLine(text, next)), { rest, isPgp: text.slice(start, end).includes('BLOCK') }))
    return { at: lineEnd, left: 0 }
  found(start, end, KIND)
  return readBody(text, next, MOST_LINES, found)
}

const isBody = (text: string) =>
  text.includes('[secret:') || (text.length >= 16 && /^[\w+/=:,.-]+$/.test(text) && !/\.\.\./.test(text))

function beginsBody(line: string, { rest, isPgp }: { rest: string; isPgp: boolean }): boolean {
  const body = bodyOf(line)
  if (body === undefined) return false
  if (body.text.length >= 16 && /^[A-Za-z0-9+/=]+$/.test(body.text)) return true
  if (line.includes('[secret:private-key:')) return true
  // In code, each line may stand in quotes of its own.
  if (!/^(?:\\+[nr])*["'`,;+\\ \t\r.]*$/.test(rest)) return false
  return KEY_HEADER.test(body.text) || (isPgp && (body.text === '' || body.text === '+' || HEADER.test(body.text)))
}

function readBody(text: string, from: number, left: number, found: Found): Reading {
  let at = from
  for (let lines = left; lines > 0; lines--) {
    if (at >= text.length) return { at, left: lines }
    const end = endOfLine(text, at)
    const line = text.slice(at, end)
    END.lastIndex = 0
    const close = END.exec(line)
    if (close) {
      const closed = at + close.index + close[0].length
      found(at + close.index, closed, KIND)
      // Another may begin in the same line.
      return { at: closed, left: 0 }
    }
    const body = bodyOf(line)
    if (!body) return { at, left: 0 }
    if (body.text !== '' && !HEADER.test(body.text) && !body.text.startsWith('[secret:'))
      found(at + body.start, at + body.start + body.text.length, KIND)
    at = nextLine(text, end) ?? text.length
  }
  return { at, left: 0 }
}

const KEY_HEADER = /^[+-]?(?:Proc-Type|DEK-Info|Version|Comment|Subject|Key|Bag)[A-Za-z-]*: /
const HEADER = /^[+-]?[A-Z][A-Za-z-]+: /
// Indented, numbered, behind the time or the name that a log puts first, quoted, commented or in a diff.
const BODY =
  /^([ \t]*(?:\d{1,6}[ \t:|]+|\[?\d{4}-\d\d-\d\d[T ][\d:.,]{5,18}(?:Z|[+-]\d\d:?\d\d)?\]?[ \t]+|[\w.-]{1,60}[ \t]+\|[ \t])?(?:[#>*"'`]|\/\/|[+-](?=[ \t"'`]))*[ \t"'`]*)([A-Za-z0-9+/=]*|[+-]?[A-Za-z0-9+/=]+|[+-]?[A-Z][A-Za-z-]+: .*|\[secret:private-key:[0-9a-f]+\])((?:\\+[nr])*["'`,;+\\ \t\r.]*)$/

function bodyOf(line: string): { start: number; text: string } | undefined {
  if (line.length > 4_000) return undefined
  const match = BODY.exec(line)
  return match ? { start: match[1]?.length ?? 0, text: match[2] ?? '' } : undefined
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

function nextLine(text: string, from: number): number | undefined {
  const at = text.indexOf('\n', from)
  return at < 0 || at + 1 >= text.length ? undefined : at + 1
}
