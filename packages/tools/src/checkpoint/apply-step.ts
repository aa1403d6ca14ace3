import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { type Directory, type Root, STRICT, walk } from '../walk.ts'
import type { Step } from './plan-restore.ts'
import type { Stamp } from './seen.ts'

const OPEN_TEMPORARY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | STRICT

/** What a step needs besides itself. */
export interface StepContext {
  readonly root: Root
  /** The content that a `write` puts in place. */
  readonly content: Buffer
  /** What was at the path when the plan was made: nothing, or what had this stamp. */
  readonly expected: Stamp | undefined
}

/**
 * Does one step through open directories, following no link. Says `changed` if something else is there than when the
 * plan was made; throws what the file system says.
 */
export function applyStep(step: Step, { root, content, expected }: StepContext): 'done' | 'changed' {
  const parts = step.path.split('/')
  const name = parts.at(-1) ?? ''
  const directory = walk(root, parts.slice(0, -1))
  try {
    const at = directory.at(name)
    const stats = lstatSync(at, { throwIfNoEntry: false })
    switch (step.act) {
      case 'make-directory':
        if (stats !== undefined) return 'changed'
        mkdirSync(at, 0o700)
        return 'done'
      case 'remove-directory':
        if (stats?.isDirectory() !== true) return 'changed'
        rmdirSync(at)
        return 'done'
      case 'mode':
        if (stats?.isDirectory() !== true) return 'changed'
        changeMode(at, step.mode)
        return 'done'
      case 'remove':
        if (stats === undefined || !isAsExpected(stats, expected)) return 'changed'
        unlinkSync(at)
        return 'done'
      case 'write':
        if (!isAsExpected(stats, expected)) return 'changed'
        swapIn(directory, { name, node: step.node, content, owner: stats ?? lstatSync(directory.at('.')) })
        return 'done'
      default:
        return step satisfies never
    }
  } finally {
    directory.close()
  }
}

function isAsExpected(stats: Stats | undefined, expected: Stamp | undefined): boolean {
  if (stats === undefined || expected === undefined) return stats === expected
  return stats.ctimeMs === expected.ctime && stats.ino === expected.ino && stats.size === expected.size
}

// By an open directory again: a link in its place would lead the change elsewhere.
function changeMode(path: string, mode: number): void {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | STRICT)
  try {
    fchmodSync(fd, mode)
  } finally {
    closeSync(fd)
  }
}

interface Swap {
  name: string
  node: Extract<Step, { act: 'write' }>['node']
  content: Buffer
  owner: Stats
}

function swapIn(directory: Directory, { name, node, content, owner }: Swap): void {
  const temporary = directory.at(`.maru-${randomBytes(8).toString('hex')}.tmp`)
  try {
    if (node.kind === 'link') symlinkSync(node.target, temporary)
    else writeTemporary(temporary, { content, mode: node.mode, owner })
    renameSync(temporary, directory.at(name))
  } catch (error) {
    removeQuietly(temporary)
    throw error
  }
}

function writeTemporary(path: string, { content, mode, owner }: { content: Buffer; mode: number; owner: Stats }): void {
  const fd = openSync(path, OPEN_TEMPORARY, 0o600)
  try {
    // A full disk makes a write short before it makes one fail.
    for (let at = 0; at < content.length; ) at += writeSync(fd, content, at)
    if (process.getuid?.() === 0) fchownSync(fd, owner.uid, owner.gid)
    fchmodSync(fd, mode)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It may never have been made; the error that led here says more.
  }
}
