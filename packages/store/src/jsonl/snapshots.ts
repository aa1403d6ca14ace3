import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Projection } from '@maru/protocol'
import * as z from 'zod/mini'

const Snapshot = z.object({
  version: z.int(),
  seq: z.int(),
  line: z.int(),
  start: z.int(),
  end: z.int(),
  /** Of the last line that was applied: a log that was replaced or cut does not have it there. */
  hash: z.string(),
  state: z.unknown(),
})

/** The last line that a state has seen: its seq, number and bytes. */
export interface Place {
  seq: number
  line: number
  start: number
  end: number
}

/** Projection states kept beside a log: a cache, rebuilt when in doubt. */
export interface Snapshots {
  load<S>(projection: Projection<S>, log: FileHandle): Promise<{ state: S; place: Place } | undefined>
  save<S>(projection: Projection<S>, log: FileHandle, reached: { state: S; place: Place }): Promise<void>
  clear(): Promise<void>
}

export function createSnapshots(directory: string): Snapshots {
  const pathOf = (name: string) => join(directory, `${name}.json`)
  return {
    async load<S>({ name, version }: Projection<S>, log: FileHandle) {
      const read = Snapshot.safeParse(await readJson(pathOf(name)))
      if (!read.success || read.data.version !== version) return undefined
      const { seq, line, start, end, hash, state } = read.data
      if ((await hashLine(log, { start, end })) !== hash) return undefined
      return { state: state as S, place: { seq, line, start, end } }
    },
    async save({ name, version }, log, { state, place }) {
      const text = JSON.stringify({ version, ...place, hash: await hashLine(log, place), state })
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const temporary = `${pathOf(name)}.${randomUUID()}.new`
      await writeFile(temporary, text, { mode: 0o600 })
      await rename(temporary, pathOf(name))
    },
    async clear() {
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    // Absent, or torn by a crash: either way there is no snapshot.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function hashLine(log: FileHandle, { start, end }: { start: number; end: number }): Promise<string> {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await log.read(buffer, 0, buffer.length, start)
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex')
}
