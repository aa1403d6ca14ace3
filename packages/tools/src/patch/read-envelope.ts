import { readHunkHeader, readHunkLine } from './hunk-lines.ts'
import type { FilePatch, Hunk, HunkLine } from './patch.ts'
import { refuse } from './refuse.ts'

/** The first line of this format, also where its very first was forgotten. */
export const ENVELOPE = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: ?\S)/

const FILE = /^\*\*\* (Add|Update|Delete) File:(.*)$/
const MOVE = /^\*\*\* Move to:(.*)$/
const END = /^\*\*\* End Patch\s*$/
const END_OF_FILE = /^\*\*\* End of File\s*$/

/** Reads `*** Begin Patch` … `*** End Patch`; what stands around it is prose. */
export function readEnvelope(
  lines: readonly string[],
  { skip }: { skip(line: string, at: number): void },
): FilePatch[] {
  const patches: FilePatch[] = []
  let at = lines.findIndex((line) => ENVELOPE.test(line))
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, verb, written = ''] = FILE.exec(line) ?? []
    const path = written.trim()
    if (END.test(line)) {
      for (at++; at < lines.length && !ENVELOPE.test(lines[at] ?? ''); at++) skip(lines[at] ?? '', at)
      if (at >= lines.length) return patches
    } else if (verb === 'Add') at = readAdded(lines, at, { path, patches })
    else if (verb === 'Update') at = readUpdated(lines, at, { path, patches })
    else if (verb === 'Delete') {
      patches.push({ kind: 'delete', path, at: at + 1, hunks: [] })
      at++
    } else if (line.trim() === '' || /^\*\*\* (?:Begin Patch|Environment)/.test(line)) at++
    else {
      const message = `Line ${at + 1} of the patch is neither a "*** … File:" line nor part of one.`
      refuse('malformed', { message, hint: 'Begin each file with *** Add, Update or Delete File.' }, { line: at + 1 })
    }
  }
  return refuse(
    'truncated',
    { message: 'The patch has no "*** End Patch": its end is missing.', hint: 'Send the whole patch again.' },
    { line: lines.length },
  )
}

type Into = { path: string; patches: FilePatch[] }

function endsFile(line: string): boolean {
  return FILE.test(line) || END.test(line) || line.startsWith('*** Begin Patch')
}

function readAdded(lines: readonly string[], start: number, { path, patches }: Into): number {
  const body: HunkLine[] = []
  let at = start + 1
  for (; at < lines.length && !endsFile(lines[at] ?? ''); at++) {
    const line = lines[at] ?? ''
    if (!END_OF_FILE.test(line)) body.push(readHunkLine(line, at + 1))
  }
  // Whoever left out every + meant the lines as they are.
  const isBare = body.every(({ sign }) => sign !== '+')
  const plain = (line: HunkLine): HunkLine => ({ sign: '+', text: textAsWritten(line), at: line.at, isLoose: true })
  const hunk: Hunk = { number: 1, at: start + 1, anchors: [], lines: isBare ? body.map(plain) : body }
  patches.push({ kind: 'create', path, at: start + 1, hunk })
  return at
}

function textAsWritten({ sign, text, isLoose }: HunkLine): string {
  return isLoose ? text : sign + text
}

function readUpdated(lines: readonly string[], start: number, { path, patches }: Into): number {
  const hunks: Hunk[] = []
  const moveTo = MOVE.exec(lines[start + 1] ?? '')?.[1]?.trim()
  let at = start + (moveTo === undefined ? 1 : 2)
  if (isNamedAgain(lines, at, path)) at += 2
  while (at < lines.length && !endsFile(lines[at] ?? '')) {
    const { hunk, end } = readHunk(lines, at)
    if (hunk.lines.some(({ text, sign }) => text !== '' || sign !== ' '))
      hunks.push({ ...hunk, number: hunks.length + 1 })
    at = end
  }
  patches.push({ kind: 'update', path, at: start + 1, hunks, ...(moveTo !== undefined && { moveTo }) })
  return at
}

// The two names of a unified diff below the name of the file, before its first hunk.
function isNamedAgain(lines: readonly string[], at: number, path: string): boolean {
  const isSame = (line: string | undefined, sign: string) =>
    [path, `a/${path}`, `b/${path}`].some((name) => line === `${sign} ${name}`)
  return isSame(lines[at], '---') && isSame(lines[at + 1], '+++') && lines[at + 2]?.startsWith('@@') === true
}

function readHunk(lines: readonly string[], start: number): { hunk: Hunk; end: number } {
  const anchors: string[] = []
  let header: Hunk['header']
  let at = start
  for (; lines[at]?.startsWith('@@'); at++) {
    const read = readHunkHeader(lines[at] ?? '')
    header = read.header ?? header
    // What stands behind numbers is git's, and names what is above the place, not what holds it.
    if (!read.header && read.section !== '') anchors.push(read.section)
  }
  const body: HunkLine[] = []
  let isAtEnd = false
  for (; at < lines.length && !endsFile(lines[at] ?? '') && !lines[at]?.startsWith('@@'); at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('\\ ')) {
      const last = body.pop()
      if (last) body.push({ ...last, isUnended: true })
      continue
    }
    if (END_OF_FILE.test(line)) {
      isAtEnd = true
      at++
      break
    }
    body.push(readHunkLine(line, at + 1))
  }
  const hunk: Hunk = { number: 0, at: start + 1, anchors, lines: body, ...(header && { header }) }
  return { hunk: isAtEnd ? { ...hunk, endsFile: true } : hunk, end: at }
}
