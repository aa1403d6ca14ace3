import { cpSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FileProblem } from '../file-problem.ts'
import { findRoot, type Root, walk } from '../walk.ts'
import type { ProtectedPlace } from './bwrap-arguments.ts'
import { findGitPlaces, type GitPlaces, type GitPlace as Place } from './git-places.ts'
import { isHarmlessGit } from './harmless-git.ts'
import { createProtectedTree, type ProtectedEntry, type ProtectedTree } from './protected-tree.ts'
import { isWithin } from './system-program.ts'

/** Knows the protected files of a session's roots, and takes away those that appear while commands run. */
export interface ProtectedWatch {
  /** Looks for what is there now. What is new is taken for the user's own. */
  adopt(): void
  /** Moves away what was not there before, but for the rightful; gives their paths, and where they are now. */
  moveAway(rightful: readonly string[]): { paths: string[]; place: string } | undefined
  /** What has to be mounted, as of the last look. */
  places(): ProtectedPlace[]
}

// Each costs a little of every start. The rest is still noticed when it is replaced.
const MAX_PLACES = 150

/**
 * A name that does not exist cannot be mounted over without making it, which would show in the user's tree. So what is
 * there is held by mounts, and what a command makes anew under a protected name is moved out of the tree when it ends.
 */
export function watchProtected({
  roots,
  quarantine,
}: {
  roots: readonly string[]
  quarantine: string
}): ProtectedWatch {
  const trees = roots.map((root) => ({ root: findRoot(root), tree: createProtectedTree(root) }))
  let known = new Set<string>()
  let current: ProtectedPlace[] = []
  const look = () => trees.map((each) => lookAt(each, roots))
  const adopt = (found: readonly Looked[]) => {
    known = new Set(found.flatMap(({ entries }) => entries.flatMap(({ keys }) => keys)))
    current = found.flatMap(({ places }) => places.map(identified)).slice(0, MAX_PLACES)
  }
  return {
    adopt: () => adopt(look()),
    moveAway(rightful) {
      const found = look()
      const place = join(quarantine, `${Date.now().toString(36)}-${process.pid}`)
      const isNew = (root: Root, { keys, path }: Entry) => {
        if (keys.some((key) => known.has(key)) || isHarmlessGit(root.path, path)) return false
        return !rightful.some((each) => each === path || each.startsWith(`${path}/`))
      }
      const moved = found.flatMap(({ root, entries }) => {
        const strange = entries.filter((entry) => isNew(root, entry)).map(({ path }) => path)
        return strange.filter((path) => move(root, path, join(place, path)))
      })
      // What was harmless, or moved about by its parent, is known from now on.
      adopt(moved.length > 0 ? look() : found)
      return moved.length > 0 ? { paths: moved, place } : undefined
    },
    places: () => current,
  }
}

function identified(place: Omit<ProtectedPlace, 'identity'>): ProtectedPlace {
  const stats = lstatSync(place.path, { throwIfNoEntry: false })
  return { ...place, identity: `${stats?.dev}:${stats?.ino}` }
}

interface Looked {
  readonly root: Root
  readonly entries: readonly Entry[]
  readonly places: readonly Place[]
}

/** Known if one of its keys is: the same file wherever it was moved with its parent, or the same name in the same place. */
interface Entry {
  readonly path: string
  readonly keys: readonly string[]
}

function lookAt({ root, tree }: { root: Root; tree: ProtectedTree }, roots: readonly string[]): Looked {
  const found = tree.refresh()
  const repositories = found.filter(({ path }) => basename(path) === '.git')
  const git = repositories.map(({ path }) => findGitPlaces(join(root.path, path), roots))
  const plain = found.filter(({ path }) => basename(path) !== '.git')
  const places: Place[] = [
    ...git.flatMap((each) => each.places),
    ...plain.flatMap(({ path }) => placeOf(join(root.path, path), roots)),
  ]
  return {
    root,
    entries: [...found.map((each) => entryOf(root, each)), ...git.flatMap((each) => orders(root, each))],
    places,
  }
}

// A user's editor puts a new file in the place of an old one. A command cannot, as a mount is there; it could only move
// the directory away and make another, which is another place.
function entryOf(root: Root, { path, identity, isLink }: ProtectedEntry): Entry {
  const parent = lstatSync(join(root.path, dirname(path)), { throwIfNoEntry: false })
  const name = basename(path)
  return { path, keys: [`${identity} ${name}`, ...(isLink ? [] : [`${parent?.dev}:${parent?.ino}/${name}`])] }
}

// A link cannot be mounted over: what it leads to is, where a command could write to that.
function placeOf(path: string, roots: readonly string[]): Place[] {
  try {
    const real = realpathSync.native(path)
    if (real !== path && !roots.some((root) => root !== real && isWithin(root, real))) return []
    return [{ path: real, kind: 'read-only' }]
  } catch {
    // It leads nowhere, or is gone.
    return []
  }
}

// Inside a repository the name is enough: its directory cannot be moved, and what was there before is held by a mount.
function orders(root: Root, { places }: GitPlaces): Entry[] {
  return places
    .filter(({ kind, path }) => kind === 'read-only' && path.startsWith(`${root.path}/`) && basename(path) !== '.git')
    .map(({ path }) => ({ path: path.slice(root.path.length + 1), keys: [`order ${path}`] }))
}

// By open directories: a parent that is swapped for a link meanwhile does not lead to a file of the user's.
function move(root: Root, path: string, to: string): boolean {
  const parts = path.split('/')
  try {
    const directory = walk(root, parts.slice(0, -1))
    try {
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
      moveEntry(directory.at(parts.at(-1) ?? ''), to)
    } finally {
      directory.close()
    }
    return true
  } catch (error) {
    // Gone by itself, or swapped for a link: then nothing protected stands there.
    if (error instanceof FileProblem || (error instanceof Error && 'code' in error)) return false
    throw error
  }
}

function moveEntry(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    rmSync(from, { recursive: true, force: true })
  }
}
