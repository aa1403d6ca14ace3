import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'

// The server refuses to run as root: then it runs as nobody, in a directory that is nobody's.
const NOBODY = 65_534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** A PostgreSQL of our own in a directory that is there and empty. It listens at a socket in it, and waits for no disk. */
export function createCluster(directory: string, binaries: string) {
  const data = join(directory, 'data')
  const log = join(directory, 'log')
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
  return {
    launch(settings: Record<string, string>): ChildProcess {
      const all = { listen_addresses: '', unix_socket_directories: directory, fsync: 'off', ...settings }
      const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const output = openSync(log, 'a')
      const server = spawn(join(binaries, 'postgres'), ['-D', data, ...args], {
        ...identity,
        cwd: directory,
        stdio: ['ignore', output, output],
      })
      closeSync(output)
      return server
    },
    answers(): Promise<boolean> {
      return new Promise((resolve) => {
        const socket = createConnection(join(directory, '.s.PGSQL.5432'))
        const done = (isThere: boolean) => {
          socket.destroy()
          resolve(isThere)
        }
        socket.once('connect', () => done(true)).once('error', () => done(false))
      })
    },
    /** The end of what it wrote, where it did not start. */
    complaint: () => readFileSync(log, 'utf8').slice(-2000),
  }
}
