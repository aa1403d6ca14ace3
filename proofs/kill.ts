import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Recorded } from '@maru/protocol'
import { openJsonlStore, type Repair } from '@maru/store'
import { bundleNodeScript, collect, exitOf, input, linesOf, type NodeScript, temporaryDirectory } from '@maru/testkit'

/** What a run of the proof saw. */
export interface KillReport {
  kills: number
  acknowledged: number
  stored: number
  tornEnds: number
}

// A fresh log now and then: the proof is about writing, and a long one is read again after each kill.
const ROUNDS_PER_LOG = 20

/**
 * Kills a writing process at random moments. After each: everything acknowledged is stored, numbers are dense, no
 * batch is there in part, and the log opens and takes the next fact. Throws at the first difference.
 */
export async function proveKill({ times, log = () => undefined }: { times: number; log?(line: string): void }) {
  const script = await bundleNodeScript(fileURLToPath(new URL('kill-writer.ts', import.meta.url)))
  const report: KillReport = { kills: 0, acknowledged: 0, stored: 0, tornEnds: 0 }
  try {
    while (report.kills < times) {
      await proveOneLog(script, report, Math.min(ROUNDS_PER_LOG, times - report.kills))
      log(`${report.kills} of ${times} kills, ${report.acknowledged} acknowledged, ${report.tornEnds} torn ends cut`)
    }
    return report
  } finally {
    await script.dispose()
  }
}

async function proveOneLog(script: NodeScript, report: KillReport, rounds: number): Promise<void> {
  const { path, dispose } = await temporaryDirectory()
  const acknowledged = new Map<number, string>()
  try {
    for (let round = 0; round < rounds; round++) {
      await writeUntilKilled(script, [path, 's', String(round)], acknowledged)
      report.kills++
      const stored = await reopen(path, round, report)
      check(stored, acknowledged)
      acknowledged.set(stored.length + 1, `probe ${round}`)
      report.stored += stored.length
    }
    report.acknowledged += acknowledged.size
  } finally {
    await dispose()
  }
}

async function writeUntilKilled(script: NodeScript, args: string[], acknowledged: Map<number, string>): Promise<void> {
  const child = script.start(...args)
  let isArmed = false
  for await (const line of linesOf(child)) {
    if (!isArmed) setTimeout(() => child.kill('SIGKILL'), randomInt(0, 40))
    isArmed = true
    // The last line may be cut by the kill itself; what it would have said is then not claimed.
    if (!line.endsWith('}')) continue
    const { seqs, name } = JSON.parse(line) as { seqs: number[]; name: string }
    for (const seq of seqs) acknowledged.set(seq, name)
  }
  const { signal } = await exitOf(child)
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself (${signal})`)
}

async function reopen(directory: string, round: number, report: KillReport): Promise<Recorded[]> {
  const onRepair = (_repair: Repair) => {
    report.tornEnds++
  }
  const { log } = openJsonlStore({ directory, now: Date.now, onRepair })
  try {
    const lease = await log.lease('s')
    const stored = await collect(log.read('s'))
    await log.admit('s', input(`probe ${round}`))
    await lease.release()
    return stored
  } finally {
    await log.close()
  }
}

function check(stored: Recorded[], acknowledged: Map<number, string>): void {
  stored.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Error(`seq ${seq} in place ${index + 1}`)
  })
  for (const [seq, name] of acknowledged) {
    const record = stored[seq - 1]
    if (!record) throw new Error(`${name}: ${seq} was acknowledged and is not stored`)
    if (nameOf(record) !== name) throw new Error(`${seq} was acknowledged as ${name} and is ${nameOf(record)}`)
  }
  const sizes = new Map<string, number>()
  for (const record of stored) {
    if (record.type === 'tool-start' || record.type === 'tool-end') {
      sizes.set(record.callId, (sizes.get(record.callId) ?? 0) + 1)
    }
  }
  for (const [name, size] of sizes)
    if (size !== 3) throw new Error(`${name}: ${size} of 3 facts of one append are stored`)
}

function nameOf(record: Recorded): string {
  if (record.type === 'input-admit') return record.key
  return record.type === 'tool-start' || record.type === 'tool-end' ? record.callId : record.type
}
