import type { Blobs } from './blob.ts'
import { countLines } from './hunk-lines.ts'
import type { FilePatch, Hunk } from './patch.ts'
import { readName } from './patch-path.ts'
import { refuse } from './refuse.ts'

/** What one file's part of a unified diff says, as read. */
export interface Section {
  at: number
  hunks: Hunk[]
  /** Behind `---` and `+++`. */
  names?: Names
  /** Behind `diff --git`. */
  git?: Names
  /** Behind `Index:`. */
  index?: string
  /** Behind `index`. */
  blobs?: Blobs
  renameFrom?: string
  renameTo?: string
  isNew?: boolean
  isDeleted?: boolean
  newMode?: string
  changedMode?: string
}

interface Names {
  old: string
  new: string
}

const NOWHERE = '/dev/null'

/** Decides what each section does to which file. */
export function toFilePatches(sections: readonly Section[]): FilePatch[] {
  // Whether names begin with a/ and b/ is the same throughout a patch; a new file's alone cannot tell.
  const isPlain = sections.some(({ names }) => names && isBoth(names) && !isPrefixed(names))
  return sections.map((section) => toFilePatch(section, isPlain))
}

function toFilePatch(section: Section, isPlain: boolean): FilePatch {
  const { at, hunks } = section
  const blobs = section.blobs && { blobs: section.blobs }
  checkModes(section)
  const { renameFrom, renameTo } = section
  if (renameFrom !== undefined || renameTo !== undefined) {
    if (renameFrom === undefined || renameTo === undefined)
      return malformed(section, 'A rename needs both "rename from" and "rename to".')
    return { kind: 'update', path: renameFrom, moveTo: renameTo, at, hunks, ...blobs }
  }
  const names = namesOf(section)
  if (section.isNew || names.old === NOWHERE) {
    const path = stripOne(names.new === NOWHERE ? names.old : names.new, isPlain)
    if (section.isDeleted || hunks.length > 1) return malformed(section, 'A new file is one hunk of + lines.')
    const hunk = hunks[0] ?? { number: 1, at, anchors: [], lines: [] }
    if (countLines(hunk.lines).old > 0 && hunk.lines.some(({ sign }) => sign === '-'))
      return malformed(section, 'A new file has only + lines.')
    return { kind: 'create', path, at, hunk, ...(section.newMode === '100755' && { isExecutable: true }), ...blobs }
  }
  if (section.isDeleted || names.new === NOWHERE) {
    const path = stripOne(names.old, isPlain)
    return { kind: 'delete', path, at, hunks, ...(path !== names.old && { orPath: names.old }) }
  }
  if (hunks.length === 0) return malformed(section, 'This header has no hunk below it.')
  const { path, oldPath, orPath } = pathOf(names)
  const mayCreate = hunks.length === 1 && hunks[0]?.header?.oldStart === 0 && hunks[0].header.oldCount === 0
  return {
    kind: 'update',
    path,
    at,
    hunks,
    ...(oldPath && { oldPath }),
    ...(orPath && { orPath }),
    ...(mayCreate && { mayCreate }),
    ...blobs,
  }
}

function malformed({ at }: Section, message: string): never {
  return refuse('malformed', { message, hint: 'Write the whole patch again.' }, { line: at })
}

function checkModes({ at, newMode, changedMode }: Section): void {
  const mode = newMode ?? changedMode
  if (mode === undefined || (newMode !== undefined && /^100(?:644|755|664|775|600|700)$/.test(mode))) return
  const what = mode.startsWith('12')
    ? 'make a link'
    : mode.startsWith('16')
      ? 'change a submodule'
      : 'change file modes'
  const hint = changedMode === undefined ? 'Create only plain files.' : 'Leave the mode lines out, and use chmod.'
  refuse('unsupported', { message: `A patch cannot ${what} (mode ${mode.slice(0, 20)}).`, hint }, { line: at })
}

function namesOf(section: Section): Names {
  const { names, git, index } = section
  if (names && !(names.old === NOWHERE && names.new === NOWHERE)) return names
  if (git) return git
  if (index !== undefined) return { old: index, new: index }
  return refuse(
    'no-path',
    {
      message: 'The patch does not say which file it changes.',
      hint: 'Put "--- a/PATH" and "+++ b/PATH" above the first @@.',
    },
    { line: section.at },
  )
}

/** The two names behind `diff --git`, which are separated by a blank and may hold some. */
export function readGitNames(written: string): Names {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(written.slice(0, 10_000))
  if (quoted) return { old: readName(quoted[1] ?? ''), new: readName(quoted[2] ?? '') }
  const half = (written.length - 1) / 2
  return { old: written.slice(0, half), new: written.slice(half + 1) }
}

function isBoth({ old, new: fresh }: Names): boolean {
  return old !== NOWHERE && fresh !== NOWHERE
}

// git's own letters, also those of diff.mnemonicPrefix.
const PREFIXES = /^(?:a b|i w|c i|c w|o w)$/

function isPrefixed({ old, new: fresh }: Names): boolean {
  return old[1] === '/' && fresh[1] === '/' && PREFIXES.test(`${old[0]} ${fresh[0]}`)
}

function stripOne(name: string, isPlain: boolean): string {
  return !isPlain && /^[ab]\//.test(name) ? name.slice(2) : name
}

function pathOf(names: Names): { path: string; oldPath?: string; orPath?: string } {
  const { old, new: fresh } = names
  if (isPrefixed(names)) {
    const path = fresh.slice(2)
    return { path, ...(old.slice(2) !== path && { oldPath: old.slice(2) }), ...(old === fresh && { orPath: fresh }) }
  }
  const stripped = stripOne(fresh, false)
  return { path: fresh, ...(old !== fresh && { oldPath: old }), ...(stripped !== fresh && { orPath: stripped }) }
}
