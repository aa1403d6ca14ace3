import type { FilePatch, Hunk } from './patch.ts'
import { problemOf, tidyPath } from './patch-path.ts'
import { BLOCK, readBlocks } from './read-blocks.ts'
import { ENVELOPE, readEnvelope } from './read-envelope.ts'
import { readUnified, UNIFIED } from './read-unified.ts'
import { refuse } from './refuse.ts'

const LONGEST = 8_000_000
const MOST_HUNKS = 10_000

/** Reads what a model wrote, in whichever format the first telling line is. Throws `Refused`. */
export function readPatch(text: string, { path }: { path?: string } = {}): FilePatch[] {
  if (text.length > LONGEST) {
    const message = `The patch has ${text.length} characters; at most ${LONGEST} can be read.`
    refuse('too-large', { message, hint: 'Split it into several patches.' })
  }
  const lines = withoutMargin(
    text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .map(withoutReturns),
  )
  // The last newline ends a line and begins none.
  const isEnded = lines.at(-1) === ''
  if (isEnded) lines.pop()
  const patches = readAs(formatOf(lines), lines, { isEnded, ...(path !== undefined && { path }) })
  if (patches.length === 0) {
    const hint = 'Send a unified diff, a *** Begin Patch envelope, or SEARCH/REPLACE blocks.'
    refuse('no-patch', { message: 'There is no patch in this text.', hint })
  }
  const hunks = patches.reduce((sum, patch) => sum + (patch.kind === 'create' ? 1 : patch.hunks.length), 0)
  if (hunks > MOST_HUNKS) {
    const message = `The patch has ${hunks} hunks; at most ${MOST_HUNKS} can be applied at once.`
    refuse('too-large', { message, hint: 'Split it into several patches.' })
  }
  return mergeSameFile(patches.map(tidy))
}

// However many: a line that ends in one would be another line for every file.
function withoutReturns(line: string): string {
  let end = line.length
  while (line[end - 1] === '\r') end--
  return end === line.length ? line : line.slice(0, end)
}

const MARGIN = /^((?:> ?)+|[ \t]{1,12})(?:diff --git |--- \S|\*\*\* Begin Patch|<{5,9} SEARCH)/

/** A patch that is quoted or indented as a whole, as in a mail or a list, without what stands before each line. */
function withoutMargin(lines: string[]): string[] {
  if (lines.some(isTellingLine)) return lines
  const [margin] = lines.flatMap((line) => MARGIN.exec(line)?.[1] ?? [])
  if (margin === undefined) return lines
  const cut = (line: string) => (line.startsWith(margin) ? line.slice(margin.length) : line)
  return lines.map((line) => (line === margin.trimEnd() ? '' : cut(line)))
}

function isTellingLine(line: string): boolean {
  return ENVELOPE.test(line) || BLOCK.test(line) || UNIFIED.test(line)
}

const SURELY_UNIFIED = /^(?:diff --git |@@ -\d)/

type Format = 'envelope' | 'blocks' | 'unified'

function formatOf(lines: readonly string[]): Format {
  const isOnlyAround = isAroundUnified(lines)
  for (const line of lines) {
    if (ENVELOPE.test(line) && !isOnlyAround) return 'envelope'
    if (BLOCK.test(line)) return 'blocks'
    if (UNIFIED.test(line)) return 'unified'
  }
  return 'unified'
}

// Some put a diff as git writes it between the two lines of the envelope.
function isAroundUnified(lines: readonly string[]): boolean {
  const named = lines.filter((line) => ENVELOPE.test(line))
  const [first] = lines.filter((line) => line.trim() !== '')
  const isWhole = named.length === 1 && named[0] === first && lines.some((line) => line.startsWith('*** End Patch'))
  return isWhole && first === BEGIN && lines.some((line) => SURELY_UNIFIED.test(line))
}

const BEGIN = '*** Begin Patch'

/** A patch in a second format beside the first would be lost in silence. */
function checkProse(others: readonly RegExp[]): (line: string, at: number) => void {
  return (line, at) => {
    if (line === BEGIN && at === 0) return
    if (!others.some((other) => other.test(line))) return
    const message = `Line ${at + 1} begins a second patch in another format.`
    refuse('malformed', { message, hint: 'Send one patch in one format.' }, { line: at + 1 })
  }
}

function readAs(format: Format, lines: readonly string[], options: { path?: string; isEnded: boolean }): FilePatch[] {
  switch (format) {
    case 'envelope':
      return readEnvelope(lines, { skip: checkProse([BLOCK, SURELY_UNIFIED]) })
    case 'blocks':
      return readBlocks(lines, { ...options, skip: checkProse([ENVELOPE, SURELY_UNIFIED]) })
    case 'unified':
      return readUnified(lines, { ...options, skip: checkProse([ENVELOPE, BLOCK]) })
    default:
      return format satisfies never
  }
}

function tidy(patch: FilePatch): FilePatch {
  const path = checkPath(patch.path, patch.at)
  if (patch.kind === 'create') return { ...patch, path }
  const orPath = patch.orPath === undefined ? {} : { orPath: checkPath(patch.orPath, patch.at) }
  if (patch.kind === 'delete') return { ...patch, path, ...orPath }
  const moveTo = patch.moveTo === undefined ? {} : { moveTo: checkPath(patch.moveTo, patch.at) }
  const oldPath = patch.oldPath === undefined ? {} : { oldPath: checkPath(patch.oldPath, patch.at) }
  return { ...patch, path, ...orPath, ...moveTo, ...oldPath }
}

function checkPath(path: string, line: number): string {
  const problem = problemOf(path)
  if (problem === undefined) return tidyPath(path)
  const shown = JSON.stringify(path.slice(0, 200))
  const hint = 'Use paths relative to the workspace root, without "..".'
  return refuse('bad-path', { message: `The path ${shown} ${problem}.`, hint }, { line })
}

// Models repeat the header of a file for each hunk. That is one change; anything else on the same file is not.
function mergeSameFile(patches: readonly FilePatch[]): FilePatch[] {
  const merged = new Map<string, FilePatch>()
  const hunksOf = new Map<string, Hunk[]>()
  const targets = new Set<string>()
  const isIndexedOtherwise = new Set<string>()
  for (const patch of patches) {
    const known = hunksOf.get(patch.path)
    const isPlain = patch.kind === 'update' && patch.moveTo === undefined
    if (known && isPlain) {
      for (const hunk of patch.hunks) known.push({ ...hunk, number: known.length + 1 })
      if (!isSameIndex(patch, merged.get(patch.path))) isIndexedOtherwise.add(patch.path)
    } else if (merged.has(patch.path) || targets.has(patch.path)) sameFileTwice(patch.path, patch.at)
    else {
      merged.set(patch.path, patch)
      if (isPlain) hunksOf.set(patch.path, [...patch.hunks])
    }
    if (patch.kind !== 'update' || patch.moveTo === undefined) continue
    if (targets.has(patch.moveTo) || (merged.has(patch.moveTo) && patch.moveTo !== patch.path))
      sameFileTwice(patch.moveTo, patch.at)
    targets.add(patch.moveTo)
  }
  return [...merged.values()].map((patch) => {
    const hunks = hunksOf.get(patch.path)
    if (patch.kind !== 'update' || hunks === undefined) return patch
    const { blobs, ...rest } = patch
    const isKnown = blobs && !isIndexedOtherwise.has(patch.path)
    return { ...rest, hunks, ...(hunks.length > 1 && { mayCreate: false }), ...(isKnown && { blobs }) }
  })
}

// Of two steps in a row, neither says what both together make.
function isSameIndex(patch: FilePatch, other: FilePatch | undefined): boolean {
  if (patch.kind !== 'update' || other?.kind !== 'update') return false
  return patch.blobs?.old === other.blobs?.old && patch.blobs?.new === other.blobs?.new
}

function sameFileTwice(path: string, line: number): never {
  const message = `The patch changes ${path} twice in ways that exclude each other.`
  return refuse('same-file-twice', { message, hint: 'Say once what happens to it.' }, { file: path, line })
}
