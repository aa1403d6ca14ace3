import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleNodeScript } from './node-script.ts'
import { findPostgres } from './postgres-binaries.ts'

/** A PostgreSQL server of the tests' own. */
export interface TestPostgres {
  /** Where it lives. What tests put here goes with it, also when they are killed. */
  directory: string
  /** A new, empty database on it. */
  createDatabase(): Promise<string>
}

let started: Promise<TestPostgres> | undefined

/**
 * One server for the whole process, started when the first test wants it, without TCP and without fsync. Whoever keeps it
 * is a process of its own, which sees this one end in whatever way, stops the server and removes its directory.
 */
export function testPostgres(): Promise<TestPostgres> {
  started ??= start()
  return started
}

let count = 0

async function start(): Promise<TestPostgres> {
  // The threads of a test run are one process: whoever makes the directory starts the server for all.
  const directory = join(tmpdir(), `maru-postgres-${process.pid}`)
  if (claim(directory)) await keep(directory)
  await isReady(directory)
  const urlOf = (name: string) => `postgresql://postgres@/${name}?host=${encodeURIComponent(directory)}`
  return {
    directory,
    async createDatabase() {
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: urlOf('postgres') })
      await client.connect()
      const name = `test_${process.hrtime.bigint().toString(36)}_${count++}`
      try {
        await client.query(`create database ${name} template template0`)
      } finally {
        await client.end()
      }
      return urlOf(name)
    },
  }
}

function claim(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o755 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // One that a process of the same number left behind: its keeper removes it, unless that one was killed as well.
  if (statSync(directory).birthtimeMs > Date.now() - process.uptime() * 1000) return false
  rmSync(directory, { recursive: true, force: true })
  return claim(directory)
}

async function keep(directory: string): Promise<void> {
  const binaries = await findPostgres()
  const script = await bundleNodeScript(fileURLToPath(new URL('postgres-keeper.ts', import.meta.url)))
  const keeper = spawn(process.execPath, [script.path, directory, binaries, String(process.pid)], {
    stdio: 'ignore',
    detached: true,
  })
  keeper.unref()
  await isReady(directory)
  await script.dispose()
}

// Less than a test or what goes before it may take, so that what is wrong can be said.
const WAIT_MS = 100_000

async function isReady(directory: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const state = await readFile(join(directory, 'state'), 'utf8').catch(() => '')
    if (state === 'ready') return
    if (state !== '' || Date.now() > end)
      throw new Error(`no PostgreSQL for the tests: ${state || 'it does not start'}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
