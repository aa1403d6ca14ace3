// Keeps a PostgreSQL server while another process lives: `keeper DIRECTORY BINARIES PID`. Told nothing, it sees that one
// end by itself, so that no server outlives tests that were killed.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createCluster } from './postgres-cluster.ts'

const [directory = '', binaries = '', parent = ''] = process.argv.slice(2)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const tell = (state: string) => {
  writeFileSync(join(directory, 'state.new'), state)
  renameSync(join(directory, 'state.new'), join(directory, 'state'))
}
const isOver = () => process.ppid !== Number(parent)

async function main(): Promise<void> {
  const cluster = createCluster(directory, binaries)
  const server = cluster.launch({ full_page_writes: 'off', shared_buffers: '64MB', max_connections: '60' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (isRunning && !isOver() && !(await cluster.answers())) await pause(20)
  if (isRunning && !isOver()) tell('ready')
  while (isRunning && !isOver()) await pause(200)
  if (!isOver()) throw new Error(cluster.complaint())
  // At once: nobody will read this database again.
  server.kill('SIGQUIT')
  await ended
}

main()
  .catch((error: Error & { stderr?: Buffer }) => {
    tell(`${error.message} ${error.stderr ?? ''}`)
    while (!isOver()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  })
  .finally(() => rmSync(directory, { recursive: true, force: true }))
