import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { endGroup, noteGroup, signalGroup } from './process-group.ts'

export interface ProcessOptions {
  readonly program: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** How long a process that was told to end may take. */
  readonly graceMs: number
  readonly signal: AbortSignal
  onText(stream: 'stdout' | 'stderr', text: string): void
}

/** How a process ended. `stopped`: by us. `leftProcesses`: it had left others running, which were ended. */
export type ProcessEnd =
  | { kind: 'ended'; exit: number; leftProcesses: boolean }
  | { kind: 'killed'; signal: NodeJS.Signals; leftProcesses: boolean }
  | { kind: 'stopped'; why: 'timeout' | 'abort' }
  | { kind: 'not-started'; code: string }

type Child = ChildProcessByStdio<null, Readable, Readable>

// A process in a session of its own can hold our pipes open for ever; its words are not waited for longer than this.
const DRAIN_MS = 1_000
const LEFT_BEHIND_GRACE_MS = 200

/**
 * Runs a program in a process group of its own, without input, and returns when it has exited and nothing of its group
 * is alive. Never rejects for what the program does.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { signal, timeoutMs, graceMs } = options
  if (signal.aborted) return { kind: 'stopped', why: 'abort' }
  const child = await start(options)
  if ('kind' in child) return child
  let why: 'timeout' | 'abort' | undefined
  let killer: NodeJS.Timeout | undefined
  const stop = (reason: 'timeout' | 'abort') => {
    if (why !== undefined || child.pid === undefined) return
    why = reason
    const group = child.pid
    signalGroup(group, 'SIGTERM')
    killer = setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs)
  }
  const onAbort = () => stop('abort')
  const timer = setTimeout(() => stop('timeout'), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  const drained = Promise.all([closed(child.stdout), closed(child.stderr)])
  const exited = await exitOf(child)
  clearTimeout(timer)
  clearTimeout(killer)
  signal.removeEventListener('abort', onAbort)
  if (exited.kind === 'not-started') return exited
  const leftProcesses = await endGroup(exited.group, LEFT_BEHIND_GRACE_MS)
  await withinDrain(drained)
  child.stdout.destroy()
  child.stderr.destroy()
  if (why !== undefined) return { kind: 'stopped', why }
  if (exited.signal !== null) return { kind: 'killed', signal: exited.signal, leftProcesses }
  return { kind: 'ended', exit: exited.code ?? 0, leftProcesses }
}

async function start({
  program,
  argv,
  cwd,
  env,
  onText,
}: ProcessOptions): Promise<Child | Extract<ProcessEnd, { kind: 'not-started' }>> {
  // Not at the start: a session that runs nothing need not wait for it.
  const { spawn } = await import('node:child_process')
  try {
    const child = spawn(program, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid !== undefined) child.once('exit', noteGroup(child.pid))
    child.stdout.setEncoding('utf8').on('data', (text: string) => onText('stdout', text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => onText('stderr', text))
    return child
  } catch (error) {
    // Most failures come as an event; a command line that is too long, among others, is thrown.
    if (error instanceof Error && 'code' in error) return { kind: 'not-started', code: String(error.code) }
    throw error
  }
}

type Exited =
  | { kind: 'exited'; group: number; code: number | null; signal: NodeJS.Signals | null }
  | Extract<ProcessEnd, { kind: 'not-started' }>

function exitOf(child: Child): Promise<Exited> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', code: error.code ?? error.message })
    })
    child.once('exit', (code, signal) => resolve({ kind: 'exited', group: child.pid ?? 0, code, signal }))
  })
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve))
}

async function withinDrain(drained: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([drained, new Promise((resolve) => (timer = setTimeout(resolve, DRAIN_MS)))])
  clearTimeout(timer)
}
