import { join } from 'node:path'
import { testPostgres } from '@maru/testkit'
import { type History, openHistory } from '../../src/index.ts'

export const ENGINES = ['pglite', 'postgres'] as const
export type EngineName = (typeof ENGINES)[number]

/** How long that may take on a busy machine. */
export const START_MS = 240_000

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
  return openHistory({ home, now: Date.now, isDurable: false })
}

let names = 0

/** A name that no other test has used. */
export function freshName(name: string): string {
  return `${name} ${process.hrtime.bigint()} ${names++}`
}
