import { basename, resolve } from 'node:path'
import { printRecord, type Recorded } from '@maru/protocol'
import { type Damage, salvage } from '@maru/store'
import type { Invocation } from '../command.ts'
import { hasMoved } from '../remote/has-moved.ts'
import { placeOfSession } from '../sessions/found-session.ts'
import { findLog } from './find-log.ts'
import type { verifyLog } from './verify-log.ts'

/** A record as it stands in a log, or what stands there instead. */
export type Line = { record: Recorded; text: string } | { damage: Damage }

/** A log that is to be walked through. */
export interface LogSource {
  /** Where it is, for people. */
  readonly path: string
  /** In the order of the log, in batches. */
  lines(): AsyncIterable<Line[]>
  verify(): ReturnType<typeof verifyLog>
  close(): Promise<void>
}

/**
 * The log that a person means: a file as it is, whatever is wrong with it; else a session of the server that runs, or of the
 * history. So is one that is named by its id and has moved there: its file has only the beginning.
 */
export async function findSource(name: string, invocation: Invocation): Promise<LogSource> {
  const path = await findLog(name, invocation).catch((error: Error) => error)
  const isLeft = typeof path === 'string' && path !== resolve(invocation.cwd, name) && hasMoved(path)
  if (typeof path === 'string' && !isLeft) return ofFile(path)
  const { findServed, findStored } = await import('../remote/find-served.ts')
  const isFile = typeof path === 'string'
  const stored = await (isFile ? findServed(invocation, basename(path, '.jsonl')) : findStored(invocation, name))
  if (!stored) {
    if (isFile) return ofFile(path)
    throw path
  }
  return {
    path: placeOfSession(stored),
    lines: () => inBatches(stored.log.read(stored.id)),
    verify: async () => (await import('./verify-log.ts')).verifyStored(stored),
    close: () => stored.log.close(),
  }
}

function ofFile(path: string): LogSource {
  return {
    path,
    lines: () => salvage(path),
    // The engine and the adapters are loaded only here: looking at a log needs neither.
    verify: async () => (await import('./verify-log.ts')).verifyLog(path),
    close: async () => undefined,
  }
}

const BATCH = 256

async function* inBatches(records: AsyncIterable<Recorded>): AsyncGenerator<Line[], void> {
  let batch: Line[] = []
  for await (const record of records) {
    batch.push({ record, text: printRecord(record) })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
