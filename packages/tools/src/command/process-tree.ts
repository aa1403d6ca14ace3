import { setTimeout as wait } from 'node:timers/promises'
import { clock } from '../clock.ts'
import { findLiving, type Known, type Living, type Look, type ProcessTree } from './find-living.ts'
import { signalGroup } from './signal-group.ts'

const running = new Set<ProcessTree>()

/** Notes a tree that must not outlive this process, until the returned function is called. */
export function noteTree(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning)
  running.add(tree)
  return () => {
    running.delete(tree)
    if (running.size === 0) process.off('exit', killRunning)
  }
}

const LAST_ROUNDS = 5

// Nothing can be waited for any more: those that are told to die are still there in the next round, and that is fine.
function killRunning(): void {
  for (const tree of running) {
    signalGroup(tree.leader, 'SIGKILL')
    for (let round = 0; round < LAST_ROUNDS && signalAll(lookFor(tree).living, 'SIGKILL'); round++);
  }
}

// What the system needs to end a process that was killed.
const KILL_MS = 2_000
const LONGEST_PAUSE_MS = 50

/** Ends what is alive of a tree, first kindly; says whether anything was. Returns when it is gone. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  // Whoever is told to end may take flight from group, parent and environment: then it is known by having been there.
  const known: Known = new Map()
  let living = await livingOf(tree, known)
  if (living.length === 0) return false
  const startedAt = clock()
  const [asked, killed] = [new Set<number>(), new Set<number>()]
  let pause = 1
  for (let ms = 0; living.length > 0 && ms < graceMs + KILL_MS; ms = clock() - startedAt) {
    const isKind = ms < graceMs
    const isNew = isKind ? signalAll(keptOf(living, tree), 'SIGTERM', asked) : signalAll(living, 'SIGKILL', killed)
    // Once is enough to ask; to kill, it is not known to be.
    if (!isKind && !isNew) signalAll(living, 'SIGKILL')
    // Those that are new may be running away from us; the others need their time.
    pause = isNew ? 1 : Math.min(pause * 2, LONGEST_PAUSE_MS)
    await wait(isKind ? Math.min(pause, graceMs - ms) : pause)
    living = await livingOf(tree, known)
  }
  return true
}

// To end the one that keeps the others would be to kill them without a word.
function keptOf(living: Living[], { leader, isKeeper }: ProcessTree): Living[] {
  return isKeeper ? living.filter(({ group }) => group !== leader) : living
}

// Enough for one that runs away from us, and little where strangers come and go all the time.
const TRIES = 8

async function livingOf(tree: ProcessTree, known: Known): Promise<Living[]> {
  let look = lookFor(tree, known)
  for (let n = 1; n < TRIES && !look.isSure && look.living.length === 0; n++) {
    await wait(1)
    look = lookFor(tree, known)
  }
  return look.living
}

function lookFor(tree: ProcessTree, known?: Known): Look {
  const hasGroup = signalGroup(tree.leader, 0)
  if (process.platform === 'linux' && (hasGroup || tree.mark !== undefined)) return findLiving(tree, known)
  return { living: hasGroup ? [{ pid: tree.leader, group: tree.leader }] : [], isSure: true }
}

// Says whether there was anyone new to tell. By groups: whoever is forked meanwhile is in one of them. They are all the
// command's own, for nobody can join a group of another session, and the command began with a session of its own.
function signalAll(living: Living[], signal: NodeJS.Signals, told = new Set<number>()): boolean {
  const groups = new Set(living.map(({ group }) => group).filter((group) => !told.has(group)))
  for (const group of groups) {
    told.add(group)
    signalGroup(group, signal)
  }
  return groups.size > 0
}
