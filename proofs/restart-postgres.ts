import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { bundleNodeScript, exitOf, findPostgres, linesOf, temporaryDirectory } from '@maru/testkit'
import { type Load, startLoad } from './kill-server/load.ts'
import { bundleServer, createServed, type Served } from './kill-server/served.ts'

/** What a run of the proof saw. */
export interface RestartPostgresReport {
  restarts: number
  acknowledged: number
}

/** As an operator does it, as it is done in a hurry, and as no one would: in turn. */
const ENDS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
const WAIT_MS = 60_000

/**
 * Stops and starts PostgreSQL under a server while clients write over HTTP and over sockets. The server goes on running: it
 * says that it is not ready, and that it is when the database is back. Clients come back by themselves; every acknowledged
 * message is there, none twice, and the statistics are right. Throws at the first difference.
 */
export async function proveRestartPostgres({
  times,
  log = () => undefined,
}: {
  times: number
  log?(line: string): void
}): Promise<RestartPostgresReport> {
  const script = await bundleServer()
  const database = await openDatabase()
  const served = createServed(script.path, { engine: 'postgres', place: database.url })
  let load: Load | undefined
  try {
    await database.tell('start')
    await served.start()
    load = await startLoad(served)
    for (let restarts = 1; restarts <= times; restarts++) {
      load.go()
      await load.acknowledgement()
      await pause(randomInt(0, 500))
      await database.tell(ENDS[restarts % ENDS.length] ?? 'SIGINT')
      await isReady(served, false)
      await pause(randomInt(0, 500))
      await database.tell('start')
      await isReady(served, true)
      await load.acknowledgement()
      await load.rest()
      await load.check()
      if (restarts % 10 === 0) log(`${restarts} of ${times} restarts, ${load.acknowledged} acknowledged`)
    }
    return { restarts: times, acknowledged: load.acknowledged }
  } finally {
    await load?.close()
    await served.kill()
    await database.close()
    script.dispose()
  }
}

async function openDatabase(): Promise<{ url: string; tell(what: string): Promise<void>; close(): Promise<void> }> {
  const { path } = await temporaryDirectory()
  const script = await bundleNodeScript(fileURLToPath(new URL('restart-postgres/database.ts', import.meta.url)))
  const child = script.start(path, await findPostgres())
  const lines = linesOf(child)
  return {
    url: `postgresql://postgres@/postgres?host=${encodeURIComponent(path)}`,
    async tell(what) {
      child.stdin.write(`${what}\n`)
      if ((await lines.next()).value !== what) throw new Error(`the database did not do this: ${what}`)
    },
    async close() {
      child.stdin.end()
      await exitOf(child)
      await script.dispose()
    },
  }
}

// The process itself answers all the while.
async function isReady({ url, isRunning }: Served, isWanted: boolean): Promise<void> {
  if (!isRunning) throw new Error('the server ended by itself')
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await pause(20)) {
    const [health, ready] = await Promise.all([fetch(`${url}/healthz`), fetch(`${url}/readyz`)])
    await Promise.all([health.text(), ready.text()])
    if (health.status !== 200) throw new Error(`healthz says ${health.status}`)
    if (ready.status !== 200 && ready.status !== 503) throw new Error(`readyz says ${ready.status}`)
    if ((ready.status === 200) === isWanted) return
  }
  throw new Error(`readyz does not say that the database is ${isWanted ? 'back' : 'away'}`)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
