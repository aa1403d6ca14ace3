import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Call } from './agents.ts'

/** One run of a program and all that it started, as the system counted it. */
export interface AgentRun {
  startedAt: number
  ms: number
  cpuMs: number
  /** The most that any one process of it held. */
  megabytes: number
}

const LOOK_MS = 10

/** Runs a program to its end. The shell around it counts what the whole tree of processes used. */
export async function runAgent(
  { command, env }: Call,
  { args, cwd, home }: { args: readonly string[]; cwd: string; home: string },
): Promise<AgentRun> {
  const startedAt = Number(process.hrtime.bigint()) / 1e6
  const child = spawn(
    'bash',
    ['-c', `TIMEFORMAT='%3R %3U %3S'; time "$@" >/dev/null 2>&4`, 'bash', ...command, ...args],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, TERM: 'dumb', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
    },
  )
  let kilobytes = 0
  const look = setInterval(() => {
    kilobytes = Math.max(kilobytes, ...treeOf(child.pid).map(peakOf))
  }, LOOK_MS)
  const times: Buffer[] = []
  const said: Buffer[] = []
  child.stdio[2]?.on('data', (bytes: Buffer) => times.push(bytes))
  child.stdio[4]?.on('data', (bytes: Buffer) => said.push(bytes))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => clearInterval(look))
  if (code !== 0) throw new Error(`"${command.join(' ')}" ended with ${code}: ${Buffer.concat(said).toString()}`)
  const [real = Number.NaN, user = 0, system = 0] = Buffer.concat(times).toString().trim().split(/\s+/).map(Number)
  return { startedAt, ms: real * 1000, cpuMs: (user + system) * 1000, megabytes: kilobytes / 1024 }
}

function treeOf(pid: number | undefined): number[] {
  if (pid === undefined) return []
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return children === '' ? [] : children.split(' ').flatMap((child) => [Number(child), ...treeOf(Number(child))])
  } catch {
    // It has ended meanwhile.
    return []
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
