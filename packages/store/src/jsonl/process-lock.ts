import { constants, realpathSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { sha256 } from '../sha256.ts'
import { isErrno } from './paths.ts'

/** Who has a path, as far as it can be told. */
export interface Holder {
  pid?: number
  since?: number
}

export type Lock = { release(): Promise<void> } | { heldBy: Holder }

/**
 * Takes the path of a file for this process alone, without waiting. The operating system frees it when the process dies, however
 * it dies, so there is no stale lock to clean up. The lock belongs to the name (directory and file name), not the
 * inode: erasure replaces the file.
 */
export async function lockPath(path: string): Promise<Lock> {
  if (process.platform === 'linux') return lockSocket(`\0${lockName(path)}`)
  if (process.platform === 'win32') return lockSocket(`\\\\.\\pipe\\${lockName(path)}`)
  return lockFile(`${path}.lock`)
}

/** Whether somebody has the path. It is not taken meanwhile: whoever wants it now is not turned away. */
export async function isLocked(path: string): Promise<boolean> {
  if (process.platform === 'linux') return isBound(`\0${lockName(path)}`)
  if (process.platform === 'win32') return isBound(`\\\\.\\pipe\\${lockName(path)}`)
  const lock = await lockFile(`${path}.lock`)
  if ('release' in lock) await lock.release()
  return !('release' in lock)
}

function lockName(path: string): string {
  // A log may be reached through links: it is one log all the same.
  const real = realpathSync.native(path)
  const { dev, ino } = statSync(dirname(real))
  const name = `maru-${dev}-${ino}-${basename(real)}`
  // The system takes a hundred bytes; a name with others in it than these could mean something to it.
  return /^[\w.-]{1,100}$/.test(name) ? name : `maru-${sha256(name).slice(0, 40)}`
}

const SILENT_TRIES = 10
const SILENT_WAIT_MS = 50

// An abstract Unix socket (Linux) or a named pipe (Windows): one binder at a time, gone with its process, no file.
async function lockSocket(address: string): Promise<Lock> {
  for (let tries = 0; ; tries++) {
    const lock = await bindOnce(address)
    if ('release' in lock) return lock
    const answer = await askHolder(address)
    const heldBy = answer === 'hung up' || !answer ? {} : answer
    if (heldBy.pid !== undefined || tries === SILENT_TRIES) return { heldBy }
    await aMoment()
  }
}

async function isBound(address: string): Promise<boolean> {
  for (let tries = 0; tries <= SILENT_TRIES; tries++) {
    const heldBy = await askHolder(address)
    if (heldBy !== 'hung up') return heldBy !== undefined
    await aMoment()
  }
  return true
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SILENT_WAIT_MS))
}

async function bindOnce(address: string): Promise<Lock> {
  const holder: Holder = { pid: process.pid, since: Date.now() }
  const askers = new Set<Socket>()
  const server = createServer((socket) => {
    askers.add(socket)
    socket.on('error', () => socket.destroy()).once('close', () => askers.delete(socket))
    socket.end(JSON.stringify(holder))
  })
  const isBound = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.once('listening', () => resolve(true))
    bind(server, address)
  })
  if (!isBound) return { heldBy: {} }
  server.unref()
  const release = async () => {
    // Whoever is still asking must not keep us from letting go.
    for (const asker of askers) asker.destroy()
    await closeServer(server)
  }
  return { release: once(release) }
}

// `listen` first loads the module for clusters, which takes longer than everything else here: a lock is never shared by
// one. What it calls then has been the same for many versions of Node; should that end, `listen` does as well.
function bind(server: Server, address: string): void {
  const inner = server as unknown as { _listen2?(address: string, port: number, addressType: number): void }
  if (inner._listen2) inner._listen2(address, -1, -1)
  else server.listen(address)
}

const ASK_TIMEOUT_MS = 500
const ANSWER_LIMIT = 1000

/**
 * Who is at an address, as far as it is told in time; nothing when nobody is. A child that this process is just
 * starting has our sockets for a moment, and hangs up without a word.
 */
function askHolder(address: string): Promise<Holder | 'hung up' | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = createConnection(address)
    const done = (answer: Holder | 'hung up' | undefined) => {
      socket.destroy()
      resolve(answer)
    }
    const ended = () => done(text === '' ? 'hung up' : parseHolder(text))
    socket.setEncoding('utf8').setTimeout(ASK_TIMEOUT_MS, () => done({}))
    socket.on('data', (more: string) => {
      text += more
      if (text.length > ANSWER_LIMIT) done({})
    })
    socket.on('end', ended)
    socket.on('error', (error) => (isErrno(error, 'ECONNREFUSED', 'ENOENT') ? done(undefined) : ended()))
  })
}

function parseHolder(text: string): Holder {
  const [, pid, since] = /^\{"pid":(\d+),"since":(\d+)\}$/.exec(text) ?? []
  return pid && since ? { pid: Number(pid), since: Number(since) } : {}
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

// macOS and the BSDs can take a lock while opening. Not run on those systems yet.
const O_EXLOCK = 0x20

async function lockFile(path: string): Promise<Lock> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK, 0o600)
    return { release: once(() => file.close()) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return { heldBy: {} }
    throw error
  }
}

function once(release: () => Promise<void>): () => Promise<void> {
  let released: Promise<void> | undefined
  return () => (released ??= release())
}
