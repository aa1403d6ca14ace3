import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { basename, dirname } from 'node:path'

/** Who has a path, as far as it can be told. */
export interface Holder {
  pid?: number
  since?: number
}

export type Lock = { release(): Promise<void> } | { heldBy: Holder }

/**
 * Takes a path for this process alone, without waiting. The operating system frees it when the process dies, however
 * it dies, so there is no stale lock to clean up. The lock belongs to the name (directory and file name), not the
 * inode: erasure replaces the file.
 */
export async function lockPath(path: string): Promise<Lock> {
  if (process.platform === 'linux') return lockSocket(`\0${await lockName(path)}`)
  if (process.platform === 'win32') return lockSocket(`\\\\.\\pipe\\${await lockName(path)}`)
  return lockFile(`${path}.lock`)
}

async function lockName(path: string): Promise<string> {
  const directory = await realpath(dirname(path))
  const { dev, ino } = await stat(directory)
  return `maru-${createHash('sha256')
    .update(`${dev}:${ino}:${basename(path)}`)
    .digest('hex')
    .slice(0, 40)}`
}

// An abstract Unix socket (Linux) or a named pipe (Windows): one binder at a time, gone with its process, no file.
async function lockSocket(address: string): Promise<Lock> {
  const holder: Holder = { pid: process.pid, since: Date.now() }
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end(JSON.stringify(holder))
  })
  const bound = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(address, () => resolve(true))
  })
  if (!bound) return { heldBy: await askHolder(address) }
  server.unref()
  return { release: once(() => closeServer(server)) }
}

const ASK_TIMEOUT_MS = 500
const ANSWER_LIMIT = 1000

function askHolder(address: string): Promise<Holder> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection(address)
    const done = () => {
      socket.destroy()
      resolve(parseHolder(answer))
    }
    socket.setEncoding('utf8').setTimeout(ASK_TIMEOUT_MS, done)
    socket.on('data', (text: string) => {
      answer += text
      if (answer.length > ANSWER_LIMIT) done()
    })
    // A holder that cannot be asked still holds.
    socket.on('end', done).on('error', done)
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
