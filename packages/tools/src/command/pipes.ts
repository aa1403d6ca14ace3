import { closeSync, constants, existsSync, mkdtempSync, openSync, rmdirSync, unlinkSync } from 'node:fs'
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
  if (spare.length < 2 && canMake()) {
    const { spawnSync } = await import('node:child_process')
    spare.push(...makePipes(({ program, args }) => spawnSync(program, args, { env: {}, stdio: 'ignore' })))
    hasFailed = spare.length === 0
  }
  return spare.splice(-2).map(open)
}

/** Makes pipes ready while there is time, so that the first command need not wait for them. */
export function warmPipes(): void {
  if (spare.length < 2 && canMake()) warming ??= makeAhead()
}

let warming: Promise<void> | undefined

async function makeAhead(): Promise<void> {
  const { spawn } = await import('node:child_process')
  const making = prepareToMake()
  if (!making) return
  // Whoever stops this process meanwhile leaves nothing behind.
  process.once('exit', making.clear)
  const child = spawn(making.program, making.args, { env: {}, stdio: 'ignore' })
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  spare.push(...making.open())
  making.clear()
  process.off('exit', making.clear)
}

// Pipes that are held open and have no name any more, made many at a time: each time takes a process.
const spare: number[] = []
const AT_ONCE = 32
const PROGRAMS = ['/usr/bin/mkfifo', '/bin/mkfifo', '/run/current-system/sw/bin/mkfifo']

let hasFailed = false
const canMake = () => process.platform === 'linux' && !hasFailed && isMainThread

interface Making {
  program: string
  args: string[]
  open(): number[]
  clear(): void
}

function prepareToMake(): Making | undefined {
  const program = PROGRAMS.find((path) => existsSync(path))
  if (program === undefined) return undefined
  const directory = tolerant(() => mkdtempSync(join(tmpdir(), 'maru-pipes-')))
  if (directory === undefined) return undefined
  const paths = Array.from({ length: AT_ONCE }, (_, index) => `${directory}/${index}`)
  const open = () => paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
  return {
    program,
    args: ['-m', '600', ...paths],
    open: () => tolerant(open) ?? [],
    clear() {
      for (const path of paths) tolerant(() => unlinkSync(path))
      tolerant(() => rmdirSync(directory))
    },
  }
}

// In one go, though everything waits for it: so nothing is left behind, wherever this process may be stopped.
function makePipes(run: (making: Making) => void): number[] {
  const making = prepareToMake()
  if (!making) return []
  try {
    run(making)
    return making.open()
  } finally {
    making.clear()
  }
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
function open(pipe: number): Pipe {
  const path = `/proc/self/fd/${pipe}`
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(path, constants.O_WRONLY)
  closeSync(pipe)
  return { read, write }
}
