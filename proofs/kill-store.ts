import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from '@maru/protocol'
import { exitOf, linesOf, temporaryDirectory, testPostgres } from '@maru/testkit'
import { build } from 'esbuild'

/** What a run of the proof saw. */
export interface KillStoreReport {
  engine: string
  kills: number
  acknowledged: number
  stored: number
}

export type StoreEngine = 'pglite' | 'postgres'

/**
 * Kills a process that writes into the history at random moments. After each: every acknowledged fact is there, none
 * twice, numbers are dense, no batch is there in part, and rows and statistics are those of the facts. Throws at the first
 * difference.
 */
export async function proveKillStore({
  times,
  engines = ['pglite', 'postgres'],
  log = () => undefined,
}: {
  times: number
  engines?: StoreEngine[]
  log?(line: string): void
}): Promise<KillStoreReport[]> {
  const cache = join(import.meta.dirname, '../node_modules/.cache/maru')
  mkdirSync(cache, { recursive: true })
  // Beside the packages that it loads as they are: they bring files of their own.
  const script = join(cache, `kill-store-${process.pid}-${process.hrtime.bigint()}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, 'kill-store-writer.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@electric-sql/pglite', 'pg', 'vitest', 'esbuild'],
    logLevel: 'error',
  })
  const reports: KillStoreReport[] = []
  try {
    for (const engine of engines) reports.push(await proveOn(engine, { script, times, log }))
    return reports
  } finally {
    rmSync(script, { force: true })
  }
}

interface Proof {
  script: string
  times: number
  log(line: string): void
}

async function proveOn(engine: StoreEngine, { script, times, log }: Proof): Promise<KillStoreReport> {
  const { path, dispose } = await temporaryDirectory()
  const report: KillStoreReport = { engine, kills: 0, acknowledged: 0, stored: 0 }
  const acknowledged = new Map<number, string>()
  try {
    const place = engine === 'postgres' ? await (await testPostgres()).createDatabase() : path
    while (report.kills < times) {
      const found = await writeUntilKilled([script, engine, place, String(report.kills)], acknowledged)
      report.kills++
      check(found.before, found.acknowledged)
      if (engine === 'postgres') await endLeases(place)
      if (report.kills % 10 === 0)
        log(`${engine}: ${report.kills} of ${times} kills, ${acknowledged.size} acknowledged`)
    }
    const last = await look([script, engine, place, 'look'])
    check(last, acknowledged)
    return { ...report, acknowledged: acknowledged.size, stored: last.stored.length }
  } finally {
    await dispose()
  }
}

interface State {
  stored: Recorded[]
  statistics: { messages: number; tokens: number }
  shown: number[]
}

/** Gives what the writer found when it came, and what had been acknowledged up to then. */
async function writeUntilKilled(
  args: string[],
  acknowledged: Map<number, string>,
): Promise<{ before: State; acknowledged: Map<number, string> }> {
  const known = new Map(acknowledged)
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let before: State | undefined
  let isArmed = false
  for await (const line of linesOf(child)) {
    // The last line may be cut by the kill itself; what it would have said is then not claimed.
    if (!line.endsWith('}')) continue
    const said = JSON.parse(line) as State | { seqs: number[]; name: string }
    if ('stored' in said) {
      before = said
      continue
    }
    // The embedded one is still cold by then: it gets longer.
    if (!isArmed) setTimeout(() => child.kill('SIGKILL'), randomInt(0, args[1] === 'pglite' ? 400 : 120))
    isArmed = true
    for (const seq of said.seqs) acknowledged.set(seq, said.name)
  }
  const { signal } = await exitOf(child)
  if (signal !== 'SIGKILL' || !before) throw new Error(`the writer ended by itself (${signal})`)
  return { before, acknowledged: known }
}

async function look(args: string[]): Promise<State> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let state: State | undefined
  for await (const line of linesOf(child)) state ??= JSON.parse(line) as State
  if (!state) throw new Error('the history could not be read')
  return state
}

// On a server a dead node's lease runs out after half a minute, for which this proof does not wait.
async function endLeases(url: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update maru.lease set lease_until = now() - interval '1 s'`)
  await client.end()
}

function check({ stored, statistics, shown }: State, acknowledged: Map<number, string>): void {
  const names = new Map<string, number>()
  let messages = 0
  let tokens = 0
  const rows: number[] = []
  for (const [index, record] of stored.entries()) {
    if (record.seq !== index + 1) throw new Error(`seq ${record.seq} in place ${index + 1}`)
    const name = nameOf(record)
    names.set(name, (names.get(name) ?? 0) + 1)
    if (record.type !== 'message-add' && record.type !== 'turn-end') continue
    messages++
    rows.push(record.seq)
    tokens += record.type === 'message-add' ? (record.tokens ?? 0) : (record.usage?.output ?? 0)
  }
  for (const [seq, name] of acknowledged) {
    const record = stored[seq - 1]
    if (!record) throw new Error(`${name}: ${seq} was acknowledged and is not stored`)
    if (nameOf(record) !== name) throw new Error(`${seq} was acknowledged as ${name} and is ${nameOf(record)}`)
  }
  for (const [name, count] of names) {
    const expected = name.includes('.turn.') ? 2 : 1
    if (count !== expected) throw new Error(`${name} is there ${count} times, not ${expected}`)
  }
  const expected = JSON.stringify({ messages, tokens, rows })
  const found = JSON.stringify({ ...statistics, rows: shown })
  if (found !== expected) throw new Error(`the facts say ${expected}, the history ${found}`)
}

function nameOf(record: Recorded): string {
  if (record.type === 'message-add') return record.key
  return record.type === 'turn-start' || record.type === 'turn-end' ? record.turnId : record.type
}
