import { closeSync, constants, openSync } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The two ends of a pipe, as open files. */
export interface Pipe {
  readonly read: number
  readonly write: number
}

/**
 * Two real pipes, or none where there is no way to make them. What Node calls a pipe is a socket: `/dev/stdout` cannot be
 * opened on one, and each piece that is read from it waits in memory for the garbage collector.
 */
export async function openPipes(): Promise<Pipe[]> {
  if (spare.length < 2) await fill()
  const taken = spare.splice(-2).map(open)
  // The next command need not wait for it.
  if (spare.length < 2) void fill()
  return taken
}

// Pipes that are held open and have no name any more, made several at a time: each time takes a process.
const spare: number[] = []
const AT_ONCE = 32
const PROGRAMS = ['/usr/bin/mkfifo', '/bin/mkfifo', '/run/current-system/sw/bin/mkfifo']

let filling: Promise<void> | undefined

function fill(): Promise<void> {
  filling ??= makePipes()
    .then((made) => void spare.push(...made))
    // No room for a directory, or too many open files: sockets must do.
    .catch(() => undefined)
    .finally(() => {
      filling = undefined
    })
  return filling
}

async function makePipes(): Promise<number[]> {
  const program = process.platform === 'linux' ? await findProgram() : undefined
  if (program === undefined) return []
  const { execFile } = await import('node:child_process')
  const directory = await mkdtemp(join(tmpdir(), 'maru-pipes-'))
  try {
    const paths = Array.from({ length: AT_ONCE }, (_, index) => join(directory, String(index)))
    const error = await new Promise((resolve) => execFile(program, ['-m', '600', ...paths], { env: {} }, resolve))
    // A place that takes no pipes.
    if (error !== null) return []
    return paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function findProgram(): Promise<string | undefined> {
  for (const path of PROGRAMS) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}

// Each end by itself: one that could do both would wait for its own words for ever.
function open(pipe: number): Pipe {
  const path = `/proc/self/fd/${pipe}`
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(path, constants.O_WRONLY)
  closeSync(pipe)
  return { read, write }
}
