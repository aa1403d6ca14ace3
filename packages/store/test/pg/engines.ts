import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testPostgres } from '@maru/testkit'
import { type History, openHistory, packHistoryTemplate } from '../../src/index.ts'
import { migrations } from '../../src/pg/migrations/index.ts'

export const ENGINES = ['pglite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

const shared = new Map<EngineName, Promise<History>>()

/**
 * A history on an engine, one for all test files of a worker: starting the embedded database takes seconds. Every test has
 * owners of its own. It ends with the worker; its directory is the test server's and goes with that.
 */
export function useHistory(engine: EngineName): Promise<History> {
  const history = shared.get(engine) ?? openTestHistory(engine)
  shared.set(engine, history)
  return history
}

async function openTestHistory(engine: EngineName): Promise<History> {
  const server = await testPostgres()
  if (engine === 'postgres') {
    return openHistory({ home: '', now: Date.now, databaseUrl: await server.createDatabase() })
  }
  const home = join(server.directory, `pglite-${process.hrtime.bigint()}`)
  return openHistory({ home, now: Date.now, template: await testTemplate(), isDurable: false })
}

let names = 0

/** A name that no other test has used. */
export function freshName(name: string): string {
  return `${name} ${process.hrtime.bigint()} ${names++}`
}

const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/maru')

/** Made once for a schema and kept between test runs: seconds that no test needs to spend again. */
export async function testTemplate(): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(migrations)).digest('hex').slice(0, 16)
  const name = `history-18-${key}.tar.gz`
  const path = join(CACHE, name)
  if (existsSync(path)) return path
  const bytes = await packHistoryTemplate()
  mkdirSync(CACHE, { recursive: true })
  for (const old of readdirSync(CACHE)) if (/^history-.*gz$/.test(old) && old !== name) rmSync(join(CACHE, old))
  // Two workers may make it at the same time.
  const own = `${path}.${process.hrtime.bigint()}`
  writeFileSync(own, bytes)
  renameSync(own, path)
  return path
}
