import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LogError, printRecord, type Recorded } from '@maru/protocol'
import { collect, corpus, input, start, temporaryDirectory, upTo } from '@maru/testkit'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Damage, openJsonlStore, type Repair, salvage } from '../src/index.ts'

let directory: string
let dispose: () => Promise<void>
beforeEach(async () => ({ path: directory, dispose } = await temporaryDirectory()))
afterEach(() => dispose())

const logPath = () => join(directory, 's.jsonl')

function record(seq: number): Recorded {
  const fact = seq === 1 ? { type: 'session-start' as const, ...start } : input(`k${seq}`, `가나다 ${seq}`)
  return { seq, at: 1_700_000_000_000 + seq, v: 1, ...fact }
}

const line = (seq: number) => printRecord(record(seq))
const lines = (...seqs: number[]) => seqs.map((seq) => `${line(seq)}\n`).join('')

async function look(): Promise<{ seqs: number[]; damage: Damage[] }> {
  const items = (await collect(salvage(logPath()))).flat()
  return {
    seqs: items.flatMap((item) => ('record' in item ? [item.record.seq] : [])),
    damage: items.flatMap((item) => ('damage' in item ? [item.damage] : [])),
  }
}

/** Opens the log for writing and writes one fact, or says why not. */
async function go(): Promise<{ seq: number; repairs: Repair[] } | LogError> {
  const repairs: Repair[] = []
  const { log } = openJsonlStore({ directory, now: Date.now, onRepair: (repair) => repairs.push(repair) })
  try {
    const { seq } = await log.admit('s', input('next'))
    return { seq, repairs }
  } catch (error) {
    if (error instanceof LogError) return error
    throw error
  } finally {
    await log.close()
  }
}

describe('a log with a torn end', () => {
  test('cut anywhere inside its last record, it goes on behind the one before', async () => {
    const whole = Buffer.from(lines(1, 2, 3))
    const keep = Buffer.byteLength(lines(1, 2))
    for (let size = keep + 1; size < whole.length - 1; size++) {
      await writeFile(logPath(), whole.subarray(0, size))
      expect((await look()).seqs).toEqual([1, 2])
      expect(await go()).toMatchObject({ seq: 3, repairs: [{ id: 's', cut: size - keep }] })
      expect((await look()).damage).toEqual([])
    }
  })

  test('a last record that lacks only its line feed counts, on every opening', async () => {
    await writeFile(logPath(), lines(1, 2) + line(3))
    expect(await look()).toEqual({ seqs: [1, 2, 3], damage: [] })
    expect(await go()).toEqual({ seq: 4, repairs: [] })
    expect(await look()).toEqual({ seqs: [1, 2, 3, 4], damage: [] })
  })

  test('NULs behind the last record are cut', async () => {
    await writeFile(logPath(), Buffer.concat([Buffer.from(lines(1, 2)), Buffer.alloc(5000)]))
    expect(await go()).toMatchObject({ seq: 3, repairs: [{ cut: 5000 }] })
  })

  test('an append whose last line never came is cut whole, and kept aside', async () => {
    const begun = `${line(3)} \n${line(4)} \n`
    for (const torn of [begun, `${begun}{"seq":5,"ty`, `${begun}${line(5)}`]) {
      await writeFile(logPath(), lines(1, 2) + torn)
      expect((await look()).seqs).toEqual([1, 2])
      const { log } = openJsonlStore({ directory, now: Date.now })
      expect((await collect(log.read('s'))).map(({ seq }) => seq)).toEqual([1, 2])
      const gone = await go()
      expect(gone).toMatchObject({ seq: 3, repairs: [{ cut: Buffer.byteLength(torn) }] })
      const { quarantine } = (gone as { repairs: Repair[] }).repairs[0] ?? {}
      expect(await readFile(quarantine ?? '', 'utf8')).toBe(torn)
      await log.close()
    }
  })

  test('an append of several facts that is whole is read whole, from any of them on', async () => {
    await writeFile(logPath(), `${lines(1)}${line(2)} \n${line(3)} \n${lines(4)}`)
    expect(await look()).toEqual({ seqs: [1, 2, 3, 4], damage: [] })
    const { log } = openJsonlStore({ directory, now: Date.now })
    for (const after of [0, 1, 2, 3, 4]) {
      expect((await collect(log.read('s', after))).map(({ seq }) => seq)).toEqual(upTo(4).slice(after))
    }
    await log.close()
  })

  test('lines at the end that are no records are put aside, not lost', async () => {
    await writeFile(logPath(), `${lines(1, 2)}[]\nnonsense\n`)
    expect((await look()).damage.map(({ line: at }) => at)).toEqual([3, 4])
    expect(await go()).toMatchObject({ seq: 3, repairs: [{ cut: 12 }] })
    const [name] = await readdir(join(directory, 's', 'quarantine'))
    expect(await readFile(join(directory, 's', 'quarantine', name ?? ''), 'utf8')).toBe('[]\nnonsense\n')
  })
})

describe('a log with damage inside', () => {
  const cases: [what: string, bytes: string | Buffer, seqs: number[], problem: RegExp][] = [
    ['a line that is not JSON', `${lines(1)}{"seq":2,"ty\n${lines(3)}`, [1, 3], /not JSON/],
    [
      'a hole of NULs',
      Buffer.concat([Buffer.from(lines(1)), Buffer.alloc(4096), Buffer.from(lines(2, 3))]),
      [1, 2, 3],
      /behind other bytes/,
    ],
    ['a record glued onto a torn one', `${lines(1)}{"seq":2,"typ${line(3)}\n`, [1, 3], /behind other bytes/],
    ['a gap', lines(1, 2, 4), [1, 2, 4], /seq 4 where 3 was due/],
    ['records out of order', lines(1, 3, 2, 4), [1, 3, 2, 4], /out of order/],
    ['a record twice', lines(1, 2, 2, 3), [1, 2, 3], /stands twice/],
    [
      'a record at the end that does not fit',
      `${lines(1)}{"seq":2,"v":1,"at":1,"type":"tool-start"}\n`,
      [1],
      /does not fit/,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(lines(1)), Buffer.from([0xff, 0xfe, 10]), Buffer.from(lines(2))]),
      [1, 2],
      /not UTF-8/,
    ],
    ['a first fact that is missing', lines(2, 3), [2, 3], /where 1 was due/],
  ]
  test.each(cases)(
    '%s is reported by line, the rest is shown, and nothing is appended',
    async (_what, bytes, seqs, problem) => {
      await writeFile(logPath(), bytes)
      const seen = await look()
      expect(seen.seqs).toEqual(seqs)
      expect(seen.damage.map((item) => item.problem).join()).toMatch(problem)
      const refused = await go()
      expect(refused).toMatchObject({ code: 'damaged' })
      expect((refused as LogError).message).toMatch(/line \d+/)
      expect(await readFile(logPath())).toEqual(Buffer.from(bytes))
      const { log } = openJsonlStore({ directory, now: Date.now })
      await expect(collect(log.read('s'))).rejects.toMatchObject({ code: 'damaged' })
      await log.close()
    },
  )
})

test('line ends of Windows and blank lines are no damage', async () => {
  await writeFile(logPath(), `\n${lines(1, 2).replaceAll('\n', '\r\n')}\n`)
  expect(await look()).toEqual({ seqs: [1, 2], damage: [] })
  expect(await go()).toMatchObject({ seq: 3, repairs: [] })
  const { log } = openJsonlStore({ directory, now: Date.now })
  for (const after of upTo(3))
    expect((await collect(log.read('s', after))).map(({ seq }) => seq)).toEqual(upTo(3).slice(after))
  await log.close()
})

test('a kind of a newer version can be read, not run', async () => {
  const future = '{"seq":2,"at":5,"v":1,"type":"dream-add","dream":{"about":"sheep"}}'
  await writeFile(logPath(), `${lines(1)}${future}\n${lines(3)}`)
  const { log } = openJsonlStore({ directory, now: Date.now })
  const read = await collect(log.read('s'))
  expect(read[1]).toMatchObject({ type: 'unknown', kind: 'dream-add', seq: 2 })
  expect(printRecord(read[1] as Recorded)).toBe(future)
  await expect(log.lease('s')).rejects.toMatchObject({ code: 'newer' })
  await log.close()
})

test('whatever one byte becomes, nothing is lost in silence', async () => {
  const whole = Buffer.from(lines(1, 2, 3, 4))
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
      const bytes = Buffer.from(whole)
      bytes[at] = byte
      await writeFile(logPath(), bytes)
      const before = await look()
      const outcome = await go()
      if (outcome instanceof LogError) {
        expect(before.damage.length).toBeGreaterThan(0)
        expect(await readFile(logPath())).toEqual(bytes)
        return
      }
      // Either the byte was inside a value and all four are there, or what was cut is kept or was the torn end.
      const { seqs, damage } = await look()
      expect(damage).toEqual([])
      expect(seqs).toEqual(upTo(outcome.seq))
      if (outcome.seq < 5) expect(outcome.repairs).toHaveLength(1)
    }),
    { numRuns: 150 },
  )
})

interface TornRow {
  id: string
  damage: string
  bytes_b64: string
  expected_seqs: number[]
  action: string
}

const rows = corpus<TornRow>('faults/torn_jsonl.jsonl')

// Their records are simpler than ours: each whole one is put into our shape, the damage around it stays.
function ours(row: TornRow): Buffer {
  const text = Buffer.from(row.bytes_b64, 'base64').toString('latin1')
  const swapped = text.replace(/\{"seq":(\d+),"type":"event","text":"[^"{}\0\n]*"\}/g, (_whole, seq) =>
    Buffer.from(line(Number(seq) + 1)).toString('latin1'),
  )
  return Buffer.from(swapped, 'latin1')
}

describe('the torn logs of the corpus', () => {
  test('are there', (context) => {
    if (!rows) context.skip('$MARU_CORPORA does not name the test corpora')
    expect(rows?.length).toBeGreaterThan(0)
  })

  test.each(rows ?? [])('$id $damage: $action', async (row) => {
    const expected = row.expected_seqs.map((seq) => seq + 1)
    await mkdir(directory, { recursive: true })
    await writeFile(logPath(), ours(row))
    expect((await look()).seqs.toSorted((a, b) => a - b)).toEqual(expected)
    const outcome = await go()
    if (outcome instanceof LogError) {
      expect(outcome.code).toBe('damaged')
      expect(await readFile(logPath())).toEqual(ours(row))
      expect((await look()).seqs.toSorted((a, b) => a - b)).toEqual(expected)
    } else {
      expect(outcome.seq).toBe(expected.length + 1)
      expect(await look()).toEqual({ seqs: upTo(outcome.seq), damage: [] })
    }
  })
})

test('files and folders are for their owner alone', async () => {
  const nested = join(directory, 'home', 'sessions')
  const { log, blobs } = openJsonlStore({ directory: nested, now: Date.now })
  await log.create('s', start)
  await blobs.put('s', 'content')
  await log.close()
  const modes = await Promise.all(
    ['', 's', 's/blobs', 's.jsonl'].map(async (name) => ((await stat(join(nested, name))).mode & 0o777).toString(8)),
  )
  expect(modes).toEqual(['700', '700', '700', '600'])
})
