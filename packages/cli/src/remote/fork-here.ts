import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { FACT_VERSION, type FactOf, type Hash, printRecord, type Recorded } from '@maru/protocol'
import { type JsonlStore, type Mask, newSessionId, openJsonlStore } from '@maru/store'

export interface ForkPlace {
  readonly directory: string
  readonly cwd: string
  readonly mask?: Mask | undefined
  readonly now: () => number
}

/** What is known of a session elsewhere. */
interface Known {
  readonly id: string
  /** From the first on, without a gap. */
  readonly facts: readonly Recorded[]
  readonly content: ReadonlyMap<Hash, Uint8Array>
}

/** Begins a session in a file of this machine with everything that is known of one whose log cannot be reached any more. */
export async function forkHere(
  { id: parent, facts, content }: Known,
  { directory, cwd, mask, now }: ForkPlace,
): Promise<{ id: string; store: JsonlStore }> {
  const id = newSessionId(now())
  const store = openJsonlStore({ directory, now, ...(mask && { mask }) })
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Content first: a fork that is there is whole.
  for (const bytes of content.values()) await store.blobs.put(id, bytes)
  await store.blobs.flush(id)
  const last = facts.length
  const forkOf = { id: parent, seq: last }
  const fact: FactOf<'session-start'> = {
    type: 'session-start',
    agent: { kind: 'maru' },
    door: 'terminal',
    cwd,
    forkOf,
  }
  const start: Recorded = { ...fact, v: FACT_VERSION, seq: last + 1, at: now() }
  writeLines(join(directory, `${id}.jsonl`), [...facts, start].map(printRecord))
  return { id, store }
}

// On the disk before anything is built on it: the place that it came from is gone.
function writeLines(path: string, lines: readonly string[]): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const line of lines) writeSync(file, `${line}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
