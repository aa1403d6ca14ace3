import type { ChildProcess, StdioOptions } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Diagnostic } from '@maru/protocol'
import { clock } from '../clock.ts'
import { openPipes } from './pipes.ts'
import { endTree, noteTree } from './process-tree.ts'
import { type OnOutput, type OutputReader, readOutput } from './read-output.ts'

export interface ProcessOptions {
  readonly program: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Without one it may take as long as it likes. */
  readonly timeoutMs?: number
  /** How long a process that was told to end may take. */
  readonly graceMs: number
  readonly onOutput: OnOutput
  /** Open files for it, from number 3 on. */
  readonly files?: readonly number[]
  /** Its first process only keeps the others, and they end with it: it is not told to end before they were. */
  readonly isKeeper?: boolean
}

export type NotStarted = { kind: 'not-started'; code: string }

/**
 * How a process ended. `stopped`: by us. `not-held`: the sandbox could not be set up, and nothing ran. `leftProcesses`: it
 * had left others running, which were ended. `notes`: what the sandbox has to say of it.
 */
export type ProcessEnd = { notes?: readonly Diagnostic[] } & (
  | { kind: 'ended'; exit: number; leftProcesses: boolean }
  | { kind: 'killed'; signal: NodeJS.Signals; leftProcesses: boolean }
  | { kind: 'stopped'; why: 'timeout' | 'abort' }
  | { kind: 'not-held' }
)

/** A program that is running, or was. */
export interface Running {
  /** When it has exited and nothing of its tree is alive. Never rejects for what the program does. */
  readonly ended: Promise<ProcessEnd>
  /** Ends it with its whole tree. */
  stop(): void
  /** Our own process waits for it, as it does from the start. */
  ref(): void
  /** Our own process may exit before it, and kills it then. */
  unref(): void
}

/** By this name a command's descendants are known, in whatever session they are; one inside another carries both. */
export const MARK = 'MARU_COMMAND'

const LEFT_BEHIND_GRACE_MS = 200
const GIVE_UP_MS = 1_000

/** Starts a program without input, in a session and a process group of its own. */
export async function startProcess(options: ProcessOptions): Promise<Running | NotStarted> {
  const mark = randomBytes(12).toString('hex')
  const startedAt = clock()
  const started = await spawnMarked(options, mark)
  if ('kind' in started) return started
  const { child, pid, output } = started
  const tree = { leader: pid, mark, startedAt, isKeeper: options.isKeeper ?? false }
  const forget = noteTree(tree)
  let why: 'timeout' | 'abort' | undefined
  let ending: Promise<boolean> | undefined
  let giveUp = () => {}
  const stop = (reason: 'timeout' | 'abort') => {
    if (ending !== undefined) return
    why = reason
    ending = endTree(tree, options.graceMs)
    // One that cannot even be killed, as it waits for a broken disk, is not waited for.
    void ending.then(() => wait(GIVE_UP_MS, undefined, { ref: false })).then(giveUp)
  }
  const { timeoutMs } = options
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), timeoutMs)
  const finish = async (): Promise<ProcessEnd> => {
    const exited = await new Promise<Exited>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
      giveUp = () => resolve({ code: null, signal: null })
    })
    clearTimeout(timer)
    ending ??= endTree(tree, LEFT_BEHIND_GRACE_MS)
    const isLeft = await ending
    // What is kept is being ended by the system: whether it was anything, the sandbox knows.
    const leftProcesses = isLeft && !tree.isKeeper
    forget()
    await output.drain()
    child.unref()
    if (why !== undefined) return { kind: 'stopped', why }
    if (exited.signal !== null) return { kind: 'killed', signal: exited.signal, leftProcesses }
    return { kind: 'ended', exit: exited.code ?? 0, leftProcesses }
  }
  const handles = [child, ...output.sockets, ...(timer ? [timer] : [])]
  return {
    ended: finish(),
    stop: () => stop('abort'),
    ref() {
      for (const handle of handles) handle.ref()
    },
    unref() {
      for (const handle of handles) handle.unref()
    },
  }
}

/** Waits for the end, which an abort brings about. */
export async function untilEnd({ ended, stop }: Running, signal: AbortSignal): Promise<ProcessEnd> {
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const end = await ended
  signal.removeEventListener('abort', stop)
  return end
}

interface Exited {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly output: OutputReader
}

async function spawnMarked(options: ProcessOptions, mark: string): Promise<Started | NotStarted> {
  const { program, argv, cwd, env, onOutput, files = [] } = options
  // Not at the start: a session that runs nothing need not wait for it.
  const { spawn } = await import('node:child_process')
  const pipes = await openPipes()
  const [stdout, stderr] = pipes
  const marked = { ...env, [MARK]: env[MARK] === undefined ? mark : `${env[MARK]} ${mark}` }
  try {
    const stdio: StdioOptions = ['ignore', stdout?.write ?? 'pipe', stderr?.write ?? 'pipe', ...files]
    const child = spawn(program, argv, { cwd, env: marked, detached: true, stdio })
    if (child.pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve))
    const sources = { stdout: stdout?.read ?? child.stdout, stderr: stderr?.read ?? child.stderr }
    return { child, pid: child.pid, output: readOutput(sources, onOutput) }
  } catch (error) {
    for (const { read } of pipes) closeSync(read)
    if (error instanceof Error && 'code' in error) return { kind: 'not-started', code: String(error.code) }
    throw error
  } finally {
    for (const { write } of pipes) closeSync(write)
  }
}
