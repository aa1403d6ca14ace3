import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { endGroup, noteGroup, signalGroup } from '../process-group.ts'

export interface BoundedProcess {
  readonly program: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array | string
  /** Bytes of output that are kept; a process that writes more is ended. */
  readonly limit: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** How it ended; `isCut`: its output reached the limit, and what is here is the beginning. */
export type BoundedEnd =
  | { kind: 'ended'; exit: number; stdout: Buffer; stderr: string; isCut: boolean }
  | { kind: 'stopped'; why: 'timeout' | 'abort' }
  | { kind: 'not-started'; code: string }

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const STDERR_LIMIT = 64 * 1024

/**
 * Runs a program that only reads, in a process group of its own, and returns its bytes when nothing of the group is
 * alive. Nothing is lost by ending it at once, so nothing is asked kindly.
 */
export async function spawnBounded(options: BoundedProcess): Promise<BoundedEnd> {
  const { program, argv, cwd, env, stdin = '', signal, timeoutMs, limit } = options
  if (signal.aborted) return { kind: 'stopped', why: 'abort' }
  const child: Child = spawn(program, argv, { cwd, env: { ...env }, detached: true, stdio: 'pipe' })
  const group = child.pid
  let why: 'timeout' | 'abort' | undefined
  const end = () => group !== undefined && signalGroup(group, 'SIGKILL')
  const stop = (reason: 'timeout' | 'abort') => {
    why ??= reason
    end()
  }
  const onAbort = () => stop('abort')
  const timer = setTimeout(() => stop('timeout'), timeoutMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (group !== undefined) child.once('exit', noteGroup(group))
  const stdout = keep(child.stdout, limit, end)
  const stderr = keep(child.stderr, STDERR_LIMIT, end)
  // A process that ends before it has read everything breaks the pipe; how it ended says more.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const exit = await exitOf(child)
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  if (typeof exit === 'string' || group === undefined) return { kind: 'not-started', code: String(exit) }
  await endGroup(group, 0)
  if (why !== undefined) return { kind: 'stopped', why }
  const isCut = stdout.isCut() || stderr.isCut()
  return { kind: 'ended', exit, stdout: stdout.bytes(), stderr: stderr.bytes().toString(), isCut }
}

function keep(stream: Readable, limit: number, onFull: () => void) {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    if (length <= limit) chunks.push(chunk)
    length += chunk.length
    if (length > limit) onFull()
  })
  return { bytes: () => Buffer.concat(chunks).subarray(0, limit), isCut: () => length > limit }
}

// A number is an exit code, a text why it was never started. `close` comes when its outputs are at their end as well.
function exitOf(child: Child): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(error.code ?? error.message)
    })
    child.once('close', (code) => resolve(code ?? 128))
  })
}
