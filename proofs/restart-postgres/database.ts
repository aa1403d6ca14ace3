// A PostgreSQL server that can be stopped and started: `database DIRECTORY BINARIES`, then a line with what to do. It ends
// with whoever started it: no server outlives a proof that was killed.
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { createCluster } from '@maru/testkit'

const [directory = '', binaries = ''] = process.argv.slice(2)
const START_MS = 60_000
let server: ChildProcess | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// One that was killed leaves backends behind for a moment: until they are gone, another one does not start.
async function start({ launch, answers, complaint }: ReturnType<typeof createCluster>): Promise<void> {
  for (const end = Date.now() + START_MS; ; await pause(50)) {
    server = launch({ max_connections: '40' })
    while (server.exitCode === null && server.signalCode === null) {
      if (await answers()) return
      await pause(20)
    }
    if (Date.now() > end) throw new Error(complaint())
  }
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const own = server
  if (!own || own.exitCode !== null || own.signalCode !== null) return
  const ended = new Promise((resolve) => own.once('exit', resolve))
  own.kill(signal)
  await ended
}

try {
  const cluster = createCluster(directory, binaries)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'start') await start(cluster)
    else await stop(line as NodeJS.Signals)
    process.stdout.write(`${line}\n`)
  }
} finally {
  await stop('SIGQUIT')
  rmSync(directory, { recursive: true, force: true })
}
