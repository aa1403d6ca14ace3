import { LogError } from '@maru/protocol'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isContinued, joinGroup } from '../src/group.ts'
import { type Disk, LineWriter } from '../src/jsonl/line-writer.ts'

class Crash extends Error {}

interface Faults {
  /** Bytes that fit. */
  capacity: number
  /** The most that one call writes. */
  stride: number
  /** The process dies after so many bytes. */
  crashAfter: number
  syncFails: boolean
  truncateFails: boolean
}

/** A disk of bytes that can be small, slow, and gone in the middle of a write. */
class FaultyDisk implements Disk {
  bytes = Buffer.alloc(0)
  readonly #faults: Faults
  #written = 0

  constructor(faults: Partial<Faults> = {}) {
    this.#faults = {
      capacity: Number.POSITIVE_INFINITY,
      stride: Number.POSITIVE_INFINITY,
      crashAfter: Number.POSITIVE_INFINITY,
      syncFails: false,
      truncateFails: false,
      ...faults,
    }
  }

  async write(bytes: Uint8Array, position: number) {
    const { capacity, stride, crashAfter } = this.#faults
    const fits = Math.min(bytes.length, stride, Math.max(0, capacity - position))
    const lives = Math.min(fits, crashAfter - this.#written)
    if (fits === 0) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
    const grown = Buffer.alloc(Math.max(this.bytes.length, position + lives))
    this.bytes.copy(grown)
    grown.set(bytes.subarray(0, lives), position)
    this.bytes = grown
    this.#written += lives
    if (lives < fits) throw new Crash()
    return fits
  }

  async datasync() {
    if (this.#faults.syncFails) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }

  async truncate(length: number) {
    if (this.#faults.truncateFails) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    this.bytes = this.bytes.subarray(0, length)
  }
}

const batches = fc.array(
  fc
    .array(
      fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify({ text })),
      { minLength: 1, maxLength: 4 },
    )
    .map(joinGroup),
  { minLength: 1, maxLength: 8 },
)

/** What a reader takes from the bytes: terminated lines of whole appends. */
function visible(disk: FaultyDisk): string[] {
  const lines = disk.bytes.toString().split('\n').slice(0, -1)
  while (lines.length > 0 && isContinued(lines.at(-1) ?? '')) lines.pop()
  return lines
}

test('on a full disk a batch is there whole or not at all, and the next one that fits goes on', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(200), fc.integer({ min: 1, max: 40 }), async (tries, capacity, stride) => {
      const disk = new FaultyDisk({ capacity, stride })
      const writer = new LineWriter(disk, 0)
      const acknowledged: string[] = []
      for (const batch of tries) {
        try {
          await writer.write(batch)
          await writer.sync()
          acknowledged.push(...batch)
        } catch (error) {
          expect(error).toBeInstanceOf(LogError)
          expect((error as LogError).code).toBe('full')
        }
        expect(disk.bytes.toString()).toBe(acknowledged.map((line) => `${line}\n`).join(''))
        expect(writer.end).toBe(disk.bytes.length)
      }
    }),
  )
})

test('killed after any byte, the acknowledged batches are there and no other is there in part', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(300), fc.integer({ min: 1, max: 40 }), async (tries, crashAfter, stride) => {
      const disk = new FaultyDisk({ crashAfter, stride, truncateFails: true })
      const writer = new LineWriter(disk, 0)
      const acknowledged: string[] = []
      for (const batch of tries) {
        try {
          await writer.write(batch)
          await writer.sync()
        } catch (error) {
          expect((error as LogError).cause).toBeInstanceOf(Crash)
          const all = [...acknowledged, ...batch]
          expect([acknowledged, all]).toContainEqual(visible(disk))
          return
        }
        acknowledged.push(...batch)
      }
    }),
    { numRuns: 500 },
  )
})

test('after a sync that failed nothing more is taken, for nobody knows what the disk holds', async () => {
  const disk = new FaultyDisk({ syncFails: true })
  const writer = new LineWriter(disk, 0)
  await writer.write(['{"a":1}'])
  await expect(writer.sync()).rejects.toMatchObject({ code: 'failed' })
  await expect(writer.sync()).rejects.toMatchObject({ code: 'failed' })
  await expect(writer.write(['{"a":3}'])).rejects.toMatchObject({ code: 'failed' })
})

test('a sync covers what was written before it was asked for; those who ask while the disk is busy share the next', async () => {
  let ends: (() => void)[] = []
  const syncs: string[] = []
  const disk = new FaultyDisk()
  disk.datasync = () => {
    syncs.push(disk.bytes.toString())
    return new Promise((resolve) => ends.push(resolve))
  }
  const next = async () => {
    await vi.waitUntil(() => ends.length > 0)
    const [end] = ends
    ends = []
    end?.()
  }
  const writer = new LineWriter(disk, 0)
  const done: string[] = []
  await writer.write(['1'])
  const first = writer.sync().then(() => done.push('first'))
  await vi.waitUntil(() => syncs.length === 1)
  await writer.write(['2'])
  const second = writer.sync().then(() => done.push('second'))
  await writer.write(['3'])
  const third = writer.sync().then(() => done.push('third'))
  await next()
  await first
  expect(done).toEqual(['first'])
  await next()
  await Promise.all([second, third])
  expect(syncs).toEqual(['1\n', '1\n2\n3\n'])
})

test('a torn end that cannot be cut off stops the writing until the log is opened again', async () => {
  const disk = new FaultyDisk({ capacity: 10, truncateFails: true })
  const writer = new LineWriter(disk, 0)
  await expect(writer.write(['{"a":"too long"}'])).rejects.toMatchObject({ code: 'full' })
  await expect(writer.write(['{}'])).rejects.toThrow(/open the session again/)
})
