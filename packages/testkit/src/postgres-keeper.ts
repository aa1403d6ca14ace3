// Keeps a PostgreSQL server while another process lives: `keeper DIRECTORY BINARIES PID`. Told nothing, it sees that one
// end by itself, so that no server outlives tests that were killed.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'

const [directory = '', binaries = '', parent = ''] = process.argv.slice(2)
// The server refuses to run as root: then it runs as nobody, in a directory that is nobody's.
const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const data = join(directory, 'data')
const log = join(directory, 'log')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const tell = (state: string) => {
  writeFileSync(join(directory, 'state.new'), state)
  renameSync(join(directory, 'state.new'), join(directory, 'state'))
}
const isOver = () => process.ppid !== Number(parent)

async function main(): Promise<void> {
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
  const settings = {
    listen_addresses: '',
    unix_socket_directories: directory,
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '64MB',
    max_connections: '60',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = openSync(log, 'a')
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...args], {
    ...identity,
    cwd: directory,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (isRunning && !isOver() && !(await answers())) await pause(20)
  if (isRunning && !isOver()) tell('ready')
  while (isRunning && !isOver()) await pause(200)
  if (!isOver()) throw new Error(readFileSync(log, 'utf8').slice(-2000))
  // At once: nobody will read this database again.
  server.kill('SIGQUIT')
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

main()
  .catch((error: Error & { stderr?: Buffer }) => {
    tell(`${error.message} ${error.stderr ?? ''}`)
    while (!isOver()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  })
  .finally(() => rmSync(directory, { recursive: true, force: true }))
