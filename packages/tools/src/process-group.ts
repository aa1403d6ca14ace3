import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Signals every process of a group; says whether there was one. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    // EPERM: what is left belongs to someone else, and is not ours to end.
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) return false
    throw error
  }
}

const running = new Set<number>()

/** Notes a group that must not outlive this process, until the returned function is called. */
export function noteGroup(group: number): () => void {
  if (running.size === 0) process.on('exit', killRunning)
  running.add(group)
  return () => {
    running.delete(group)
    if (running.size === 0) process.off('exit', killRunning)
  }
}

function killRunning(): void {
  for (const group of running) signalGroup(group, 'SIGKILL')
}

/** Ends what is left of a group, first kindly; says whether anything was. Returns when it is gone. */
export async function endGroup(group: number, graceMs: number): Promise<boolean> {
  if (!(await isAlive(group))) return false
  signalGroup(group, 'SIGTERM')
  if (await isGoneWithin(group, graceMs)) return true
  signalGroup(group, 'SIGKILL')
  await isGoneWithin(group, 1_000)
  return true
}

async function isGoneWithin(group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (await isAlive(group)) {
    if (performance.now() >= deadline) return false
    await wait(5)
  }
  return true
}

async function isAlive(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  // A dead process that nobody has collected still counts as a member: in many containers nobody ever does.
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isLivingMember(name, group))) return true
  }
  return false
}

async function isLivingMember(pid: string, group: number): Promise<boolean> {
  // A process may end while we look: then there is nothing to read.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // "pid (name) state parent group …", and the name may hold anything, also ") ".
  const [state, , owner] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(owner) === group && state !== 'Z' && state !== 'X'
}
