import { readIndexLine } from './blob.ts'
import { countLines, readHunkHeader, readHunkLine } from './hunk-lines.ts'
import type { FilePatch, Hunk, HunkHeader, HunkLine } from './patch.ts'
import { readName } from './patch-path.ts'
import { refuse } from './refuse.ts'
import { readGitNames, type Section, toFilePatches } from './unified-section.ts'

/** The lines that give this format away. */
export const UNIFIED = /^(?:diff --git |@@|--- \S|\+\+\+ \S|Index: \S)/

const FENCE = /^\s{0,3}(`{3,}|~{3,})([^`]*)$/
const NO_NEWLINE = /^\\ /

/** Reads unified diffs as people and models write them; what is neither header nor hunk is prose. */
export function readUnified(
  lines: readonly string[],
  { path, isEnded, skip }: { path?: string; isEnded: boolean; skip(line: string, at: number): void },
): FilePatch[] {
  const sections: Section[] = []
  // Signed lines alone are a hunk, if it is said elsewhere which file they belong to.
  const isBare = path !== undefined && !lines.some((line) => UNIFIED.test(line))
  let section: Section | undefined
  let fence = ''
  const open = (at: number, names: Partial<Section> = {}): Section => {
    section = { at: at + 1, hunks: [], ...names }
    sections.push(section)
    return section
  }
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)
    if (mark) {
      const [, ticks = '', info = ''] = mark
      if (fence === '') fence = ticks
      else if (closes(fence, ticks) && info.trim() === '') fence = ''
      at++
    } else if (line.startsWith('diff --git ')) open(at++, { git: readGitNames(line.slice(11)) })
    else if (isFileHeader(lines, at)) {
      const names = { old: readName(line.slice(4)), new: readName(lines[at + 1]?.slice(4) ?? '') }
      if (section && section.names === undefined && section.hunks.length === 0) section.names = names
      else open(at, { names })
      at += 2
    } else if (isLoneName(lines, at)) {
      const name = readName(line.slice(4))
      const git = section?.names === undefined && section?.hunks.length === 0 ? section.git : undefined
      // Beside git's own line the other name is known.
      if (section && git) section.names = line.startsWith('---') ? { ...git, old: name } : { ...git, new: name }
      else open(at, { names: { old: name, new: name } })
      at++
    } else if (/^Index: \S/.test(line)) open(at++, { index: readName(line.slice(7)) })
    else if (isHunkStart(line) || ((isBare || isAwaited(section)) && /^[ +-]/.test(line))) {
      section ??= open(at, path === undefined ? {} : { names: { old: path, new: path } })
      const body = readBody(lines, at, { fence, isEnded })
      section.hunks.push({ ...body.hunk, number: section.hunks.length + 1 })
      at = body.end
    } else {
      skip(line, at)
      if (section) readExtendedHeader(section, line)
      at++
    }
  }
  return toFilePatches(sections)
}

// Its names have been read, and no hunk yet.
function isAwaited(section: Section | undefined): boolean {
  return section?.names !== undefined && section.hunks.length === 0
}

function closes(fence: string, ticks: string): boolean {
  return ticks[0] === fence[0] && ticks.length >= fence.length
}

function isHunkStart(line: string): boolean {
  return line.startsWith('@@')
}

function isFileHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '')
}

// Only one of the two names, directly above a hunk.
function isLoneName(lines: readonly string[], at: number): boolean {
  return /^(?:---|\+\+\+) \S/.test(lines[at] ?? '') && isHunkStart(lines[at + 1] ?? '')
}

function readExtendedHeader(section: Section, line: string): void {
  const blobs = section.hunks.length === 0 ? readIndexLine(line) : undefined
  if (blobs) section.blobs = blobs
  const [, words = '', rest = ''] = EXTENDED.exec(line) ?? []
  switch (words) {
    case 'new file mode':
      section.newMode = rest
      section.isNew = true
      break
    case 'deleted file mode':
      section.isDeleted = true
      break
    case 'old mode':
    case 'new mode':
      section.changedMode = rest
      break
    case 'rename from':
      section.renameFrom = readName(rest)
      break
    case 'rename to':
      section.renameTo = readName(rest)
      break
    case 'copy from':
    case 'copy to':
      refuse(
        'unsupported',
        { message: 'A patch cannot copy a file.', hint: 'Write the copy as a new file with all its lines.' },
        { line: section.at },
      )
      break
    case 'GIT binary patch':
    case 'Binary files':
      refuse(
        'unsupported',
        { message: 'A patch cannot change a binary file.', hint: 'Leave binary files out of the patch.' },
        { line: section.at },
      )
  }
}

const EXTENDED =
  /^(new file mode|deleted file mode|old mode|new mode|rename from|rename to|copy from|copy to|GIT binary patch|Binary files)(?: (.*))?$/

function readBody(
  lines: readonly string[],
  start: number,
  { fence, isEnded }: { fence: string; isEnded: boolean },
): { hunk: Hunk; end: number } {
  const first = lines[start] ?? ''
  const { header } = isHunkStart(first) ? readHunkHeader(first) : {}
  const body: HunkLine[] = []
  let at = isHunkStart(first) ? start + 1 : start
  let counted: number | undefined
  const remaining = createCountdown(header)
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (NO_NEWLINE.test(line)) {
      const last = body.pop()
      if (last) body.push({ ...last, isUnended: true })
      continue
    }
    if (endsBody(lines, at, { fence, isExpected: remaining.isOne(), isDone: remaining.isNone() })) break
    if (remaining.isNone() && counted === undefined && !/^[ +-]/.test(line)) counted = body.length
    if (remaining.isNone() && isSignature(lines, at)) break
    const read = readHunkLine(line, at + 1)
    remaining.count(read)
    body.push(read)
  }
  const isLast = at >= lines.length
  const hunk: Hunk = {
    number: 0,
    at: start + 1,
    anchors: [],
    lines: body,
    ...(header && { header }),
    ...(isLast && { mayBeCut: fence === '' ? ('perhaps' as const) : ('likely' as const) }),
    ...(isLast && !isEnded && { isUnfinished: true }),
    ...(counted !== undefined && counted < body.length && { counted }),
  }
  return { hunk, end: at }
}

function endsBody(
  lines: readonly string[],
  at: number,
  { fence, isExpected, isDone }: { fence: string; isExpected: boolean; isDone: boolean },
): boolean {
  const line = lines[at] ?? ''
  if (isHunkStart(line) || line.startsWith('diff --git ') || /^Index: \S/.test(line)) return true
  if (line.startsWith('*** End Patch')) return true
  if (isDone && isLoneName(lines, at)) return true
  if (isFileHeader(lines, at)) return !isExpected || looksLikeNames(lines, at)
  // A fence that is further in is a line of context.
  const mark = fence === '' || line.startsWith(' ') ? undefined : FENCE.exec(line)
  return mark?.[2]?.trim() === '' && closes(fence, mark[1] ?? '')
}

// A hunk that takes away `-- x` and adds `++ y` looks like the header of a file, but for the names and what follows.
function looksLikeNames(lines: readonly string[], at: number): boolean {
  const old = readName(lines[at]?.slice(4) ?? '')
  const fresh = readName(lines[at + 1]?.slice(4) ?? '')
  const isPair = old === fresh || (/^a\/./.test(old) && /^b\/./.test(fresh)) || [old, fresh].includes('/dev/null')
  return isPair && isHunkStart(lines[at + 2] ?? '')
}

// What git format-patch writes below a patch.
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?$/.test(lines[at] ?? '') && /^\d+\.\d+/.test(lines[at + 1] ?? '')
}

function createCountdown(header: HunkHeader | undefined) {
  let old = header?.oldCount ?? Number.NaN
  let fresh = header?.newCount ?? Number.NaN
  return {
    count(line: HunkLine): void {
      const lines = countLines([line])
      old -= lines.old
      fresh -= lines.new
    },
    isNone: () => old === 0 && fresh === 0,
    isOne: () => old >= 1 && fresh >= 1,
  }
}
