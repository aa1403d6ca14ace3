import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Projection } from '@maru/protocol'
import { sha256 } from '../sha256.ts'
import { uniqueHex } from '../unique.ts'
import type { OpenFile } from './open-file.ts'
import { writeWhole } from './write-whole.ts'

interface Snapshot extends Place {
  version: number
  /** Of the last line that was applied: a log that was replaced or cut does not have it there. */
  hash: string
  state: unknown
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== 'object' || value === null) return false
  const { version, seq, line, start, end, hash } = value as Partial<Snapshot>
  return [version, seq, line, start, end].every(isCount) && typeof hash === 'string' && 'state' in value
}

/** The last line that a state has seen: its seq, number and bytes. */
export interface Place {
  seq: number
  line: number
  start: number
  end: number
}

/** Projection states kept beside a log: a cache, rebuilt when in doubt. Whatever is wrong with it, the log decides. */
export interface Snapshots {
  load<S>(projection: Projection<S>, log: OpenFile): Promise<{ state: S; place: Place } | undefined>
  save<S>(projection: Projection<S>, log: OpenFile, reached: { state: S; place: Place }): Promise<void>
  /** The same without waiting for the disk: one that the power tears is read as none. */
  leave<S>(projection: Projection<S>, log: OpenFile, reached: { state: S; place: Place }): Promise<void>
  clear(): Promise<void>
}

export function createSnapshots(directory: string): Snapshots {
  const pathOf = (name: string) => join(directory, `${name}.json`)
  return {
    async load<S>({ name, version }: Projection<S>, log: OpenFile) {
      const read = readJson(pathOf(name))
      if (!isSnapshot(read) || read.version !== version) return undefined
      const { seq, line, start, end, hash, state } = read
      const { size } = log.stat()
      if (start >= end || end > size || (await hashLine(log, { start, end })) !== hash) return undefined
      return { state: state as S, place: { seq, line, start, end } }
    },
    async save(projection, log, reached) {
      const text = await textOf(projection, log, reached)
      await writeWhole(pathOf(projection.name), { nursery: directory }, Buffer.from(text))
    },
    async leave(projection, log, reached) {
      const text = await textOf(projection, log, reached)
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const temporary = join(directory, `${uniqueHex(32)}.new`)
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
      renameSync(temporary, pathOf(projection.name))
    },
    async clear() {
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function textOf<S>(
  { version }: Projection<S>,
  log: OpenFile,
  { state, place }: { state: S; place: Place },
): Promise<string> {
  return JSON.stringify({ version, ...place, hash: await hashLine(log, place), state })
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Absent, torn, or not to be read: either way there is no snapshot.
    return undefined
  }
}

async function hashLine(log: OpenFile, { start, end }: { start: number; end: number }): Promise<string> {
  const buffer = Buffer.alloc(end - start)
  const bytesRead = await log.read(buffer, start)
  return sha256(buffer.subarray(0, bytesRead))
}
