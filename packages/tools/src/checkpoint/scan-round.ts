import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { isInsideGit } from '@maru/guard'
import type { IgnoreRules } from './ignore-rules.ts'
import { isUnchanged, newDirectory, outdate, type SeenDirectory, setEntry, stampOf } from './seen.ts'
import type { SkipReason } from './tree.ts'

/** Something that is there and was not kept. */
export interface Skipped {
  readonly path: string
  readonly why: SkipReason
}

/** A leaf that is new or has changed: its content has to be read. */
export interface Pending {
  readonly parent: SeenDirectory
  readonly name: string
  readonly path: string
}

export interface ScanOptions {
  readonly root: string
  readonly rules: IgnoreRules
  readonly fileBytes: number
  readonly entries: number
  /** Paths below the root that are never looked at. */
  readonly exclude: ReadonlySet<string>
  /** The disk on which a directory's time tells that an entry came or went: a local one, if any. */
  readonly trustedDevice: number | undefined
}

/** What earlier snapshots kept stays in sight, whatever has become of the rules since. */
export interface Pins {
  /** All that the last scan saw and kept. */
  readonly keepsSeen: boolean
  readonly paths: ReadonlySet<string>
}

/** A directory to be looked at. */
export interface Job {
  readonly path: string
  readonly name: string
  readonly directory: SeenDirectory
  /** The nearest repository at or above it. */
  readonly owner: string
  /** The rules above it have changed: what was ignored is asked about again, and what was not. */
  readonly isStale: boolean
}

/** A name that the rules have to be asked about. */
export interface Asked extends Pending {
  readonly isDirectory: boolean
  readonly owner: string
  readonly isStale: boolean
}

/** What one scan has still to do and has found, and how it looks at a directory. Everything here happens at once. */
export function createRound(options: ScanOptions, pins: Pins) {
  const jobs: Job[] = []
  const asked: Asked[] = []
  const pending: Pending[] = []
  const skipped: Skipped[] = []
  let count = 0
  const look = (path: string) => lstatSync(path === '' ? options.root : `${options.root}/${path}`, QUIETLY)

  function visit(job: Job): void {
    const { directory, path, name } = job
    const stats = look(path)
    if (stats?.isDirectory() !== true) {
      // It was a directory when it was listed. What it is now is found when its parent is listed again.
      if (directory.parent) setEntry(directory.parent, name, undefined)
      if (directory.parent) directory.parent.stamp = undefined
      return
    }
    if (directory.mode !== (stats.mode & 0o7777)) {
      directory.mode = stats.mode & 0o7777
      outdate(directory.parent)
    }
    const isKnown = directory.entries.size > 0
    const isListed = stats.dev === options.trustedDevice && isUnchanged(directory.stamp, stats)
    const names = isListed ? undefined : list(job)
    if (names === null) return
    if (names !== undefined) directory.stamp = stampOf(stats, Date.now())
    const isRepository = (names ?? directory.entries).has('.git')
    const owner = isRepository && path !== '' ? path : job.owner
    const isStale = job.isStale || (isKnown && hasNewRules(job, names))
    if (isStale && !job.isStale) options.rules.refresh()
    const here = { ...job, owner, isStale }
    lookAtKnown(here, names)
    for (const entry of names?.values() ?? []) if (!directory.entries.has(entry.name)) meet(here, entry)
    count += Math.max(directory.entries.size, names?.size ?? 0)
  }

  // Names that are not there any more are forgotten. `null`: it may not be read.
  function list({ directory, path, name }: Job): Map<string, Dirent> | null {
    try {
      const full = path === '' ? options.root : `${options.root}/${path}`
      const names = new Map(readdirSync(full, { withFileTypes: true }).map((entry) => [entry.name, entry]))
      for (const known of directory.entries.keys()) if (!names.has(known)) setEntry(directory, known, undefined)
      return names
    } catch (error) {
      if (!(error instanceof Error && 'code' in error) || directory.parent === undefined) throw error
      skip({ parent: directory.parent, name, path }, 'unreadable')
      return null
    }
  }

  function hasNewRules({ directory, path }: Job, names: ReadonlyMap<string, Dirent> | undefined): boolean {
    const known = directory.entries.get('.gitignore')
    const isThere = names === undefined ? known !== undefined : names.has('.gitignore')
    if (known?.kind !== 'leaf' || !isThere) return (known !== undefined) !== isThere
    const stats = look(path === '' ? '.gitignore' : `${path}/.gitignore`)
    return stats === undefined || !isUnchanged(known.stamp, stats)
  }

  function lookAtKnown({ directory, path, owner, isStale }: Job, names: ReadonlyMap<string, Dirent> | undefined): void {
    const prefix = path === '' ? `${options.root}/` : `${options.root}/${path}/`
    for (const [name, entry] of directory.entries) {
      // Nearly all of them, nearly always: nothing is made for these but the look.
      if (entry.kind === 'leaf' && entry.node.kind !== 'skipped' && entry.stamp !== undefined && !isStale) {
        const stats = lstatSync(prefix + name, QUIETLY)
        if (stats !== undefined && isUnchanged(entry.stamp, stats)) continue
      }
      const item = { parent: directory, name, path: path === '' ? name : `${path}/${name}`, owner, isStale }
      const isKept = pins.keepsSeen || pins.paths.has(item.path)
      // Something else has taken the name: it is met like a new one.
      if (entry.kind === 'directory' && names?.get(name)?.isDirectory() === false) setEntry(directory, name, undefined)
      else if (entry.kind === 'directory') {
        if (isStale && !isKept) asked.push({ ...item, isDirectory: true })
        else jobs.push({ path: item.path, name, directory: entry.directory, owner, isStale })
      } else if (entry.node.kind === 'ignored') {
        if (options.exclude.has(item.path) || !(isStale || pins.paths.has(item.path))) continue
        const isDirectory = look(item.path)?.isDirectory() === true
        if (pins.paths.has(item.path)) accept({ ...item, isDirectory })
        else asked.push({ ...item, isDirectory })
      } else lookAtLeaf(item, isStale && !isKept)
    }
  }

  function lookAtLeaf(item: Omit<Asked, 'isDirectory'>, isAsked: boolean): void {
    const stats = look(item.path)
    if (stats !== undefined && isGit(item.name)) lookAtGit(item, stats.isFile())
    else if (stats === undefined || stats.isDirectory()) {
      setEntry(item.parent, item.name, undefined)
      item.parent.stamp = undefined
      if (stats !== undefined) asked.push({ ...item, isDirectory: true })
    } else if (isAsked) asked.push({ ...item, isDirectory: false })
    else classify(item, stats)
  }

  // The file that leads a submodule to its repository is kept, to be put back if the whole submodule is deleted.
  function lookAtGit(item: Pending, isPointer: boolean): void {
    if (isPointer) pending.push(item)
    else setEntry(item.parent, item.name, GIT)
  }

  function meet({ directory, path, owner, isStale }: Job, entry: Dirent): void {
    const { name } = entry
    const item = { parent: directory, name, path: path === '' ? name : `${path}/${name}`, owner, isStale }
    const isDirectory = entry.isDirectory()
    // A name that is not UTF-8 cannot be named to anyone.
    if (name.includes('\uFFFD')) skipped.push({ path: item.path, why: 'unreadable' })
    else if (options.exclude.has(item.path)) setEntry(directory, name, IGNORED)
    else if (isGit(name)) lookAtGit(item, entry.isFile())
    else if (pins.paths.has(item.path)) accept({ ...item, isDirectory })
    else asked.push({ ...item, isDirectory })
  }

  function accept({ parent, name, path, isDirectory, owner, isStale }: Asked): void {
    if (!isDirectory) {
      const stats = look(path)
      if (stats !== undefined) classify({ parent, name, path }, stats)
      return
    }
    const known = parent.entries.get(name)
    const directory = known?.kind === 'directory' ? known.directory : newDirectory(parent)
    if (known?.kind !== 'directory') setEntry(parent, name, { kind: 'directory', directory })
    jobs.push({ path, name, directory, owner, isStale })
  }

  function classify(item: Pending, stats: Stats): void {
    const known = item.parent.entries.get(item.name)
    if (known?.kind === 'leaf' && known.node.kind !== 'ignored' && isUnchanged(known.stamp, stats)) {
      if (known.node.kind === 'skipped') skipped.push({ path: item.path, why: known.node.why })
    } else if (stats.isFile() && stats.size > options.fileBytes) skip(item, 'large', stats)
    else if (stats.isFile() || stats.isSymbolicLink()) pending.push(item)
    else if (!stats.isDirectory()) skip(item, 'special', stats)
    // It became a directory between two looks.
    else item.parent.stamp = undefined
  }

  function skip({ parent, name, path }: Pending, why: SkipReason, stats?: Stats): void {
    const mark = stats === undefined ? '' : `${stats.size} ${stats.mtimeMs} ${stats.ino}`
    const stamp = stats && stampOf(stats, Date.now())
    setEntry(parent, name, { kind: 'leaf', node: { kind: 'skipped', why, mark }, stamp })
    skipped.push({ path, why })
  }

  return { jobs, asked, pending, skipped, visit, accept, count: () => count }
}

// Folding a name as every file system might takes longer than looking at the file: few begin like `.git` or `git~1`.
function isGit(name: string): boolean {
  const first = name.charCodeAt(0)
  return (first === 0x2e || first === 0x67 || first === 0x47 || first > 0x7e) && isInsideGit(name)
}

const QUIETLY = { throwIfNoEntry: false } as const
const GIT = { kind: 'leaf', node: { kind: 'skipped', why: 'git', mark: '' }, stamp: undefined } as const
const IGNORED = { kind: 'leaf', node: { kind: 'ignored' }, stamp: undefined } as const
