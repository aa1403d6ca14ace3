import { statSync } from 'node:fs'
import { LogError, type Recorded } from '@maru/protocol'
import type { Tail } from '../medium.ts'
import { type LineCursor, skipLines } from './lines.ts'
import type { OpenFile } from './open-file.ts'
import { openLog } from './paths.ts'
import { type Damage, type Scanned, type Sequence, scan } from './scan.ts'
import type { Place } from './snapshots.ts'

/** Reads a log that somebody may be writing, from behind a seq, as often as asked. */
export class FileTail implements Tail {
  readonly #path: string
  readonly #id: string
  #file: OpenFile
  #last: number
  #known: Place | undefined
  #cursor: LineCursor = { offset: 0, number: 1 }
  #sequence: Sequence = { last: 0, missing: new Set() }
  #isPlaced = false
  #gone = false

  /** `known` is where some line was seen: it saves looking for `after` from the beginning. */
  static open(path: string, id: string, { after, known }: { after: number; known?: Place | undefined }): FileTail {
    return new FileTail(path, id, { file: openLog(path, id, 'r'), after, known })
  }

  private constructor(
    path: string,
    id: string,
    { file, after, known }: { file: OpenFile; after: number; known: Place | undefined },
  ) {
    this.#path = path
    this.#id = id
    this.#file = file
    this.#last = after
    this.#known = known
  }

  get gone(): boolean {
    return this.#gone
  }

  async *drain(): AsyncGenerator<Recorded[], void> {
    await this.#reopenIfReplaced()
    if (this.#gone) return
    if (!this.#isPlaced) await this.#place()
    if (this.#file.stat().size === this.#cursor.offset) return
    for await (const batch of scan(this.#file, this.#cursor, this.#sequence)) {
      const records: Recorded[] = []
      const damage = batch.flatMap((item) => ('damage' in item ? [item.damage] : []))
      for (const item of batch) {
        if ('damage' in item) break
        if (item.record.seq > this.#last) records.push(item.record)
      }
      this.#last = records.at(-1)?.seq ?? this.#last
      if (records.length > 0) yield records
      if (damage.length > 0) throw damagedError(this.#id, damage)
    }
  }

  async close(): Promise<void> {
    this.#file.close()
  }

  // Erasing one fact replaces the file; erasing all removes it, and another may be made in its place.
  async #reopenIfReplaced(): Promise<void> {
    try {
      const there = statSync(this.#path, { throwIfNoEntry: false })
      const here = this.#file.stat()
      if (there?.ino === here.ino && there.dev === here.dev) return
      const file = openLog(this.#path, this.#id, 'r')
      // Erasing one fact leaves the beginning as it was; another session of the same name has its own.
      const isSame = (await firstLine(file)) === (await firstLine(this.#file))
      this.#file.close()
      this.#file = file
      this.#isPlaced = false
      this.#gone = !isSame
    } catch (error) {
      if (!(error instanceof LogError && error.code === 'missing')) throw error
      this.#gone = true
    }
  }

  // Numbers are dense, so line n holds seq n. That is checked on the line before; where it fails, all is read.
  async #place(): Promise<void> {
    this.#isPlaced = true
    this.#rewind()
    if (this.#last < 2) return
    const known = this.#known
    this.#known = undefined
    const { size } = this.#file.stat()
    if (known?.seq === this.#last && known.end === size) {
      // It ends there: nothing is behind it yet.
      this.#cursor = { offset: size, number: known.line + 1 }
      this.#sequence.last = this.#last
      return
    }
    const isNear = known !== undefined && known.seq <= this.#last && known.end <= size
    if (isNear) this.#cursor = { offset: known.start, number: known.line }
    await skipLines(this.#file, this.#cursor, isNear ? this.#last - known.seq : this.#last - 1)
    const place = { ...this.#cursor }
    this.#sequence.last = this.#last - 1
    const [item] = await firstOf(scan(this.#file, this.#cursor, this.#sequence))
    if (!item || 'damage' in item || item.record.seq !== this.#last) {
      if (isNear) return this.#place()
      this.#rewind()
      return
    }
    this.#cursor = place
    this.#sequence.last = this.#last - 1
  }

  #rewind(): void {
    this.#cursor = { offset: 0, number: 1 }
    this.#sequence = { last: 0, missing: new Set() }
  }
}

export function damagedError(id: string, damage: Damage[]): LogError {
  const [first, ...more] = damage.map(({ line, problem }) => `line ${line}: ${problem}`)
  const rest = more.length > 0 ? ` (and ${more.length} more)` : ''
  const message = `session ${id} is damaged, ${first}${rest}; nothing was written, "maru replay" shows what is readable`
  return new LogError('damaged', message, {
    details: { damage: damage.map(({ line, problem }) => `${line}: ${problem}`) },
  })
}

async function firstLine(file: OpenFile): Promise<string | undefined> {
  const [item] = await firstOf(scan(file, { offset: 0, number: 1 }, { last: 0, missing: new Set() }))
  return item && 'record' in item ? item.text.trimEnd() : undefined
}

async function firstOf(batches: AsyncIterable<Scanned[]>): Promise<Scanned[]> {
  for await (const batch of batches) return batch
  return []
}
