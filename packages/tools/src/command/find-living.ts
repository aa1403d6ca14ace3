import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { clock } from '../clock.ts'

/** A command's processes: its group, whoever carries its mark wherever they went, and their children. */
export interface ProcessTree {
  /** The first process; it leads a group and a session of its own. */
  readonly leader: number
  /** A word that only its descendants have in their environment. */
  readonly mark?: string
  /** When it was started, on the clock of `performance`. */
  readonly startedAt: number
  /** The first process only keeps the others: they end with it, and it ends with them. */
  readonly isKeeper?: boolean
}

export interface Living {
  readonly pid: number
  readonly group: number
}

/** `isSure`: nothing went, or was about to become another program, while we looked. */
export interface Look {
  readonly living: Living[]
  readonly isSure: boolean
}

// Numbers of processes go round: by then, those below the leader's may be its descendants, too.
const MAY_HAVE_GONE_ROUND_MS = 5_000
const LOOKS = 4

/**
 * The processes of a tree that are alive and ours to end. One that only waits to be collected is not: in many containers
 * nobody ever does. Reads `/proc` in one go, as waiting for each file costs more than reading it.
 */
export function findLiving(tree: ProcessTree, known: Known = new Map()): Look {
  const isFull = clock() - tree.startedAt > MAY_HAVE_GONE_ROUND_MS || lastPid() < tree.leader
  const from = isFull ? 1 : tree.leader
  const dead = new Set<number>()
  let look = lookThrough(tree, from, { dead, known })
  for (let n = 1; n < LOOKS && !look.isSure && look.living.length === 0; n++)
    look = lookThrough(tree, from, { dead, known })
  return look
}

/** Who was seen in a tree, and when they were started: theirs they stay, even if they shed all that told so. */
export type Known = Map<number, string>

interface Seen extends Living {
  readonly parent: number
  readonly startedAt: string
}

// `dead` are those of which it is known: one that has just died may have left a child that was not on the list yet.
function lookThrough(tree: ProcessTree, from: number, { dead, known }: { dead: Set<number>; known: Known }): Look {
  const living = new Map<number, Seen>()
  const others: Seen[] = []
  let isSure = true
  // Those that run away from us are the newest ones.
  for (const pid of listPids(from).toReversed()) {
    const seen = lookAt(pid)
    if (seen === 'gone' || (seen === 'dead' && !dead.has(pid))) isSure = false
    if (seen === 'dead') dead.add(pid)
    if (typeof seen === 'string') continue
    const isKnown = seen.group === tree.leader || known.get(pid) === seen.startedAt
    const environment = isKnown ? undefined : environmentOf(pid, tree)
    // For a moment, while it becomes another program.
    if (environment === 'empty') isSure = false
    if (isKnown || environment === 'marked') living.set(pid, seen)
    else others.push(seen)
  }
  if (living.size > 0) addChildren(living, others)
  for (const { pid, startedAt } of living.values()) known.set(pid, startedAt)
  return { living: [...living.values()].filter(({ pid }) => isOurs(pid)), isSure }
}

// One that has emptied its environment is still known by its parent, as long as that lives.
function addChildren(living: Map<number, Seen>, others: Seen[]): void {
  let rest = others
  for (let before = -1; before !== living.size; ) {
    before = living.size
    for (const seen of rest) if (living.has(seen.parent)) living.set(seen.pid, seen)
    rest = rest.filter(({ pid }) => !living.has(pid))
  }
}

function listPids(from: number): number[] {
  const pids: number[] = []
  for (const name of listProc()) {
    const pid = Number(name)
    if (pid >= from && pid !== process.pid) pids.push(pid)
  }
  return pids
}

function listProc(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    // No /proc, or not for us: then only groups are known.
    return []
  }
}

function lookAt(pid: number): Seen | 'gone' | 'dead' | 'none' {
  const stat = read(`/proc/${pid}/stat`)?.toString('latin1') ?? ''
  if (stat === '') return 'gone'
  // "pid (name) state parent group …", and the name may hold anything, also ") ".
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  // Group 0 is the kernel's.
  if (group === '0') return 'none'
  if (state === 'Z' || state === 'X') return 'dead'
  return { pid, parent: Number(parent), group: Number(group), startedAt: fields[STARTED_AT] ?? '' }
}

// Behind the name, in ticks since the machine was.
const STARTED_AT = 19

function environmentOf(pid: number, { mark }: ProcessTree): 'marked' | 'empty' | 'other' {
  const bytes = mark === undefined ? undefined : read(`/proc/${pid}/environ`)
  if (mark === undefined || bytes === undefined) return 'other'
  if (bytes.length === 0) return 'empty'
  return bytes.includes(mark) ? 'marked' : 'other'
}

function isOurs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // Gone by now, or another user's.
    return false
  }
}

function lastPid(): number {
  const last = Number(read('/proc/loadavg')?.toString('latin1').trim().split(' ').at(-1))
  return Number.isNaN(last) ? 0 : last
}

let room = Buffer.allocUnsafe(16 * 1024)

// What it gives is good until the next call.
function read(path: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      let length = 0
      for (let count = -1; count !== 0; length += count) {
        if (length === room.length) room = Buffer.concat([room, Buffer.allocUnsafe(room.length)])
        count = readSync(file, room, length, room.length - length, null)
      }
      return room.subarray(0, length)
    } finally {
      closeSync(file)
    }
  } catch {
    // It ended while we looked, or it is another user's.
    return undefined
  }
}
