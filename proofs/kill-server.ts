import { randomInt } from 'node:crypto'
import { temporaryDirectory, testPostgres } from '@maru/testkit'
import { type Load, startLoad } from './kill-server/load.ts'
import { bundleServer, createServed, type ServerEngine } from './kill-server/served.ts'

/** What a run of the proof saw. */
export interface KillServerReport {
  engine: string
  kills: number
  acknowledged: number
}

interface Options {
  times: number
  engines?: ServerEngine[]
  log?(line: string): void
}

/**
 * Kills a server at random moments while clients write over HTTP and over sockets. It is started again over what it left
 * behind, and clients come back by themselves. Then: every acknowledged message is there and none twice, one that followed
 * heard of each once and in order, and the statistics are those of the messages. Throws at the first difference.
 */
export async function proveKillServer({
  times,
  engines = ['pglite', 'postgres'],
  log = () => undefined,
}: Options): Promise<KillServerReport[]> {
  const script = await bundleServer()
  const reports: KillServerReport[] = []
  try {
    for (const engine of engines) {
      const { path, dispose } = await temporaryDirectory()
      try {
        const place = engine === 'postgres' ? await (await testPostgres()).createDatabase() : path
        reports.push(await proveOn(script.path, { engine, place, times, log }))
      } finally {
        await dispose()
      }
    }
    return reports
  } finally {
    script.dispose()
  }
}

interface Proof {
  engine: ServerEngine
  place: string
  times: number
  log(line: string): void
}

async function proveOn(script: string, { engine, place, times, log }: Proof): Promise<KillServerReport> {
  const served = createServed(script, { engine, place })
  let load: Load | undefined
  try {
    await served.start()
    load = await startLoad(served)
    for (let kills = 1; kills <= times; kills++) {
      load.go()
      await load.acknowledgement()
      await pause(randomInt(0, 500))
      if (!served.isRunning) throw new Error('the server ended by itself')
      await served.kill()
      await served.start()
      await load.rest()
      await load.check()
      if (kills % 10 === 0) log(`${engine}: ${kills} of ${times} kills, ${load.acknowledged} acknowledged`)
    }
    return { engine, kills: times, acknowledged: load.acknowledged }
  } finally {
    await load?.close()
    await served.kill()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
