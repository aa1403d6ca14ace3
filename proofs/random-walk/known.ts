import { statSync } from 'node:fs'
import { join } from 'node:path'
import { verifySession, work } from '@maru/agent'
import { printRecord, type Recorded } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { hash } from './engine.ts'

/** What is known of a session from outside: whatever was seen or promised once must be there for ever. */
export interface Known {
  readonly id: string
  lines: string[]
  readonly acknowledged: Map<number, string>
  /** The file as it was looked at last. */
  stamp: string
  /** Nothing is under way, and nothing waits to be taken up. */
  isAtRest: boolean
}

export function newlyKnown(id: string, lines: string[] = []): Known {
  return { id, lines, acknowledged: new Map(), stamp: '', isAtRest: true }
}

/**
 * Reads a session from its first fact to its last, as a new process would. Everything that was seen or acknowledged is
 * there as it was; each input was taken up once or still waits; every request can be built again from the facts.
 */
export async function checkSession(directory: string, known: Known): Promise<{ facts: number; turns: number }> {
  const { id } = known
  const stamp = stampOf(directory, id)
  if (stamp === known.stamp) return { facts: 0, turns: 0 }
  const { log, blobs } = openJsonlStore({ directory, now: Date.now })
  const records: Recorded[] = []
  for await (const record of log.read(id)) records.push(record)
  const lines = records.map(printRecord)
  const fail = (message: string): never => {
    throw new Error(`session ${id}: ${message}`)
  }
  for (const [at, { seq }] of records.entries()) if (seq !== at + 1) fail(`fact ${at + 1} has the number ${seq}`)
  for (const [at, line] of known.lines.entries()) {
    if (line !== lines[at]) fail(`fact ${at + 1} was ${line} and is ${lines[at]}`)
  }
  for (const [seq, line] of known.acknowledged) {
    if (lines[seq - 1] !== line) fail(`fact ${seq} was acknowledged as ${line} and is ${lines[seq - 1]}`)
  }
  known.isAtRest = checkInputs(records, fail)
  const verified = await verifySession(toAsync(records), { id, blobs, hash })
  if ('message' in verified) fail(`fact ${verified.seq}: ${verified.message}`)
  const facts = lines.length - known.lines.length
  const turns = records.slice(known.lines.length).filter(({ type }) => type === 'turn-end').length
  known.lines = lines
  known.acknowledged.clear()
  known.stamp = stamp
  return { facts, turns }
}

function checkInputs(records: readonly Recorded[], fail: (message: string) => never): boolean {
  const state = work.create()
  const taken = new Set<number>()
  const said: number[] = []
  let turns = 0
  for (const record of records) {
    work.apply(state, record)
    if (record.type === 'input-admit') said.push(record.seq)
    if (record.type === 'run-start') turns = 0
    if (record.type === 'turn-end') turns++
    if (record.type === 'run-end' && record.reason === 'done' && turns === 0) fail('a run was done without a turn')
    const inputs = record.type === 'run-start' || record.type === 'turn-start' ? (record.inputs ?? []) : []
    for (const seq of inputs) {
      if (taken.has(seq)) fail(`input ${seq} was taken up twice`)
      taken.add(seq)
    }
  }
  const waiting = new Set(state.inputs.map(({ seq }) => seq))
  for (const seq of said) if (taken.has(seq) === waiting.has(seq)) fail(`input ${seq} is lost`)
  return state.run === undefined && waiting.size === 0
}

async function* toAsync(records: readonly Recorded[]): AsyncGenerator<Recorded> {
  yield* records
}

function stampOf(directory: string, id: string): string {
  const { size, mtimeMs, ino } = statSync(join(directory, `${id}.jsonl`))
  return `${ino}:${size}:${mtimeMs}`
}
