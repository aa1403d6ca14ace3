// A PostgreSQL server that can be stopped and started: `database DIRECTORY BINARIES`, then a line with what to do. It ends
// with whoever started it: no server outlives a proof that was killed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [directory = '', binaries = ''] = process.argv.slice(2)
// The server refuses to run as root: then it runs as nobody, in a directory that is nobody's.
const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const data = join(directory, 'data')
const log = join(directory, 'log')
const START_MS = 60_000
let server: ChildProcess | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

function create(): void {
  mkdirSync(data, { mode: 0o700 })
  if (identity.uid !== undefined) for (const path of [directory, data]) chownSync(path, identity.uid, identity.gid)
  const options = [
    '--no-sync',
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
  ]
  execFileSync(join(binaries, 'initdb'), ['-D', data, ...options], { ...identity, cwd: directory, stdio: 'pipe' })
}

// One that was killed leaves backends behind for a moment: until they are gone, another one does not start.
async function start(): Promise<void> {
  for (const end = Date.now() + START_MS; ; await pause(50)) {
    const own = launch()
    while (own.exitCode === null && own.signalCode === null) {
      if (await answers()) return
      await pause(20)
    }
    if (Date.now() > end) throw new Error(readFileSync(log, 'utf8').slice(-2000))
  }
}

function launch(): ChildProcess {
  const settings = { listen_addresses: '', unix_socket_directories: directory, fsync: 'off', max_connections: '40' }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = openSync(log, 'a')
  server = spawn(join(binaries, 'postgres'), ['-D', data, ...args], {
    ...identity,
    cwd: directory,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  return server
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const own = server
  if (!own || own.exitCode !== null || own.signalCode !== null) return
  const ended = new Promise((resolve) => own.once('exit', resolve))
  own.kill(signal)
  await ended
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(join(directory, '.s.PGSQL.5432'))
    const done = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => done(true)).once('error', () => done(false))
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

try {
  create()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'start') await start()
    else await stop(line as NodeJS.Signals)
    process.stdout.write(`${line}\n`)
  }
} finally {
  await stop('SIGQUIT')
  rmSync(directory, { recursive: true, force: true })
}
