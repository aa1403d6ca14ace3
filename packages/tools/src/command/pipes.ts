import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** The two ends of a pipe, as open files. */
export interface Pipe {
  readonly read: number
  readonly write: number
}

/**
 * Two real pipes, or none where there is no way to make them. What Node calls a pipe is a socket: `/dev/stdout` cannot be
 * opened on one, and each piece that is read from it waits in memory for the garbage collector. None in a worker: at its end
 * Node closes whatever was opened there by number, also what was handed on and is somebody else's by then.
 */
export async function openPipes(): Promise<Pipe[]> {
  await warming
  const directory = poolDirectory()
  if (directory === undefined) return []
  const pipes = [takePipe(directory), takePipe(directory)]
  for (let at = 0; at < pipes.length; at++) {
    if (pipes[at] === undefined) {
      await makePipes(directory)
      pipes[at] = takePipe(directory)
    }
  }
  const taken = pipes.filter((pipe) => pipe !== undefined)
  if (taken.length === 2) return taken.map(openEnds)
  for (const pipe of taken) closeSync(pipe)
  hasFailed = true
  return []
}

/** Makes pipes ready while there is time, so that the first command need not wait for them. */
export function warmPipes(): void {
  const directory = poolDirectory()
  if (directory !== undefined && waitingIn(directory).length < 2) warming ??= makePipes(directory)
}

let warming: Promise<void> | undefined
let hasFailed = false

// Each time takes a process, so many are made at once, and wait under names until somebody takes one: this process, or
// another of the same user.
const AT_ONCE = 32
const PROGRAMS = ['/usr/bin/mkfifo', '/bin/mkfifo', '/run/current-system/sw/bin/mkfifo']

// A place that is nobody else's: who could put something there could read what commands say.
function poolDirectory(): string | undefined {
  const user = process.getuid?.()
  if (process.platform !== 'linux' || user === undefined || hasFailed || !isMainThread) return undefined
  const directory = join(tmpdir(), `maru-pipes-${user}`)
  const look = () => tolerant(() => lstatSync(directory, { throwIfNoEntry: false }))
  let found = look()
  if (!found) {
    tolerant(() => mkdirSync(directory, { mode: 0o700 }))
    found = look()
  }
  return found?.isDirectory() && found.uid === user && (found.mode & 0o777) === 0o700 ? directory : undefined
}

function waitingIn(directory: string): string[] {
  return (tolerant(() => readdirSync(directory)) ?? []).filter((name) => name.startsWith('free-'))
}

async function makePipes(directory: string): Promise<void> {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (program === undefined) return
  const { spawn } = await import('node:child_process')
  const batch = `${process.pid}-${process.hrtime.bigint()}`
  const paths = Array.from({ length: AT_ONCE }, (_, index) => `${directory}/free-${batch}-${index}`)
  const child = spawn(program, ['-m', '600', ...paths], { env: {}, stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
}

// By its new name it is ours alone, and by none nobody else's any more.
function takePipe(directory: string): number | undefined {
  for (const name of waitingIn(directory)) {
    const own = join(directory, `taken-${process.pid}-${name}`)
    if (tolerant(() => renameSync(join(directory, name), own) ?? true) === undefined) continue
    const pipe = tolerant(() => openSync(own, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW))
    tolerant(() => unlinkSync(own))
    if (pipe === undefined) continue
    if (fstatSync(pipe).isFIFO()) return pipe
    closeSync(pipe)
  }
  return undefined
}

// No room, too many open files, a place that takes no pipes: sockets must do.
function tolerant<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

// Each end by itself: one that could do both would wait for its own words for ever.
function openEnds(pipe: number): Pipe {
  const path = `/proc/self/fd/${pipe}`
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(path, constants.O_WRONLY)
  closeSync(pipe)
  return { read, write }
}
