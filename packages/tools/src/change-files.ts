import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { Hash } from '@maru/protocol'
import { diagnose, FileProblem, problemOf } from './file-problem.ts'
import { ABSENT } from './hash.ts'
import type { Inside } from './locate.ts'
import { type FoundFile, hardLinked, lookIfThere } from './look-in.ts'
import { type Directory, type Root, STRICT, walk } from './walk.ts'

/** What one file is to become, if it is still what `basis` says. */
export interface FileEdit {
  readonly place: Inside
  readonly basis: Hash
  /** Absent: the file goes away. */
  readonly content?: Uint8Array
  /** Permissions of a new file; one that is there keeps its own, and its owner. */
  readonly mode?: number
}

/** `stale`: a file is no longer what its basis says; nothing was changed. */
export type Changed = { kind: 'done' } | { kind: 'stale'; path: string }

/**
 * Changes several files, all or none: the new ones are written beside the old ones, then, when `recorded` resolves, put
 * in their places by renames. Should one of those fail, the files before it are put back.
 */
export async function changeFiles(
  root: Root,
  edits: readonly FileEdit[],
  recorded?: Promise<unknown>,
): Promise<Changed> {
  const staged: Staged[] = []
  // Whoever gave it hears of its failure; here it counts only where there is something to wait for it with.
  recorded?.catch(() => undefined)
  try {
    for (const edit of edits) {
      const stage = stageEdit(root, edit)
      if ('stale' in stage) return { kind: 'stale', path: stage.stale }
      staged.push(stage)
    }
    await Promise.all([...staged.map(write), recorded])
    const stale = staged.find((stage) => hashIn(stage) !== stage.edit.basis)
    if (stale) return { kind: 'stale', path: stale.edit.place.path }
    commit(staged)
    return { kind: 'done' }
  } finally {
    for (const stage of staged.toReversed()) leave(root, stage)
  }
}

interface Staged {
  edit: FileEdit
  directory: Directory
  name: string
  before: Extract<FoundFile, { kind: 'file' }> | undefined
  temporary?: string
  isDone: boolean
  /** Folders that were made for it, outermost first, by their paths below the root. */
  made: string[]
}

const OPEN_TEMPORARY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | STRICT

function stageEdit(root: Root, edit: FileEdit): Staged | { stale: string } {
  const { place, basis } = edit
  const name = place.parts.at(-1)
  if (name === undefined || place.isDirectory) throw problemOf('EISDIR', place.path)
  const made: string[] = []
  const directory = walk(root, place.parts.slice(0, -1), {
    create: edit.content !== undefined && basis === ABSENT,
    onMade: (path) => made.push(path),
  })
  try {
    const before = lookIfThere(directory, name, place.path)
    if (before?.kind === 'huge' || (before?.hash ?? ABSENT) !== basis) {
      directory.close()
      return { stale: place.path }
    }
    if (before && before.stats.nlink > 1) throw hardLinked(place.path)
    return { edit, directory, name, before, made, isDone: false }
  } catch (error) {
    directory.close()
    throw error
  }
}

async function write(stage: Staged): Promise<void> {
  const { directory, edit, before } = stage
  if (edit.content === undefined) return
  stage.temporary = directory.at(`.maru-${randomBytes(8).toString('hex')}.tmp`)
  const file = openSync(stage.temporary, OPEN_TEMPORARY, edit.mode ?? 0o666)
  try {
    for (let done = 0; done < edit.content.length; ) done += writeSync(file, edit.content, done)
    if (before) keepOwnerAndMode(file, before.stats)
    // A new name for bytes that are not on the disk can become an empty file when the power fails.
    await new Promise<void>((resolve, reject) => fsync(file, (error) => (error === null ? resolve() : reject(error))))
  } finally {
    closeSync(file)
  }
}

function hashIn({ directory, name, edit }: Staged): Hash | undefined {
  const found = lookIfThere(directory, name, edit.place.path)
  return found?.kind === 'huge' ? undefined : (found?.hash ?? ABSENT)
}

function commit(staged: Staged[]): void {
  try {
    for (const stage of staged) {
      if (stage.temporary === undefined) unlinkSync(stage.directory.at(stage.name))
      else renameSync(stage.temporary, stage.directory.at(stage.name))
      delete stage.temporary
      stage.isDone = true
    }
  } catch (error) {
    const lost = staged.filter((stage) => stage.isDone && !putBack(stage)).map(({ edit }) => edit.place.path)
    if (lost.length === 0) throw error
    const message = `Only ${lost.join(', ')} could be changed, and not be put back: ${diagnose(error, '').message}`
    throw new FileProblem({ code: 'half-changed', message, hint: 'Tell the person.' }, { cause: error })
  }
}

function putBack({ directory, name, before }: Staged): boolean {
  try {
    if (!before) {
      unlinkSync(directory.at(name))
      return true
    }
    const temporary = directory.at(`.maru-${randomBytes(8).toString('hex')}.tmp`)
    const file = openSync(temporary, OPEN_TEMPORARY, 0o600)
    try {
      for (let done = 0; done < before.bytes.length; ) done += writeSync(file, before.bytes, done)
      keepOwnerAndMode(file, before.stats)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, directory.at(name))
    return true
  } catch {
    // Whoever asked is told which file it was.
    return false
  }
}

function leave(root: Root, { directory, temporary, isDone, made }: Staged): void {
  try {
    if (temporary !== undefined) unlinkSync(temporary)
    if (!isDone) for (const path of made.toReversed()) removeFolder(root, path.split('/'))
  } catch {
    // Only what this attempt left behind; a folder that others use by now stays.
  }
  // The renames are whole without it. That they are on the disk as well need not be waited for.
  directory
    .sync()
    .catch(() => undefined)
    .finally(() => directory.close())
}

function removeFolder(root: Root, parts: string[]): void {
  const above = walk(root, parts.slice(0, -1))
  try {
    rmdirSync(above.at(parts.at(-1) ?? ''))
  } finally {
    above.close()
  }
}

function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(file)
  if (own.uid !== uid || own.gid !== gid) {
    try {
      fchownSync(file, uid, gid)
    } catch (error) {
      // Only root may give a file away; the content matters more than its owner.
      if (diagnose(error, '').code !== 'no-permission') throw error
    }
  }
  fchmodSync(file, mode & 0o7777)
}
