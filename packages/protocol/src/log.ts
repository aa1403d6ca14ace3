import type { DoorFact, FactOf, FactType, RunnerFact } from './fact.ts'
import type { Live } from './live.ts'
import type { BlobRef, Hash } from './part.ts'
import type { Recorded } from './record.ts'

/** The longest line a log takes. Content belongs into blobs; this stops what forgot to go there. */
export const MAX_RECORD_BYTES = 1024 * 1024

/**
 * Why a log said no. `conflict`: not the runner, or one that has not seen everything; `held`: somebody else writes;
 * `damaged`: lines that cannot be read; `full`: no room on the disk; `failed`: the disk refused; `moved`: the session
 * goes on elsewhere; `newer`: it holds kinds that this version does not know, which may be viewed, not run.
 */
export type LogErrorCode =
  | 'missing'
  | 'exists'
  | 'conflict'
  | 'held'
  | 'damaged'
  | 'rejected'
  | 'moved'
  | 'newer'
  | 'full'
  | 'failed'
  | 'closed'

export class LogError extends Error {
  override readonly name = 'LogError'
  readonly code: LogErrorCode
  /** What the doors show beside the message: lines of damage, who holds it. */
  readonly details: Record<string, string | number | string[]>

  constructor(
    code: LogErrorCode,
    message: string,
    { details = {}, cause }: { details?: LogError['details']; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

/** How a session begins. With `forkOf`, the facts up to that one come first and keep their numbers. */
export type SessionStart = Omit<FactOf<'session-start'>, 'type'>

/** The right to append, for one runner at a time. */
export interface Lease {
  readonly epoch: number
  /** The last seq that any runner appended: what `expect` starts from. */
  readonly last: number
  renew(): Promise<void>
  release(): Promise<void>
}

export interface SessionInfo {
  id: string
  startedAt: number
  changedAt: number
  /** Absent where the log's beginning cannot be read: it is listed all the same. */
  start?: SessionStart
  title?: string
}

/**
 * A change to one of my sessions. `reset` comes first when the cursor cannot be honoured, and again when the watcher
 * was too slow: read your lists anew.
 */
export type Change =
  | { cursor: string; reset: true }
  | { cursor: string; id: string; gone: true }
  /** What a person says about it beside what happened in it: its status, its tags. No fact of its own tells. */
  | { cursor: string; id: string; patched: true }
  | { cursor: string; id: string; seq: number; kind: FactType | 'unknown' }

/** The sessions of one owner: the only thing that is true about what happened. */
export interface SessionLog {
  create(id: string, start: SessionStart): Promise<Recorded>
  list(): AsyncIterable<SessionInfo>
  lease(id: string): Promise<Lease>
  /** From any door. The same key twice is one fact and the first answer wins: what stands is what comes back. */
  admit(id: string, fact: DoorFact): Promise<Recorded>
  /** All or none. `expect` is the runner's own last seq, so that admitted facts never conflict. */
  append(id: string, holder: { epoch: number; expect: number }, facts: RunnerFact[]): Promise<Recorded[]>
  read(id: string, after?: number): AsyncIterable<Recorded>
  /** What is there after `after`, then what comes, without gap or duplicate, until the signal or an erasure of all. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<Recorded>
  watch(cursor: string | undefined, signal: AbortSignal): AsyncIterable<Change>
  /** The one operation that is not append-only: `erased` stands where the fact was; without `seq`, all goes. */
  erase(id: string, seq?: number): Promise<void>
  /** Lets go of every hold. May be called twice. */
  close(): Promise<void>
}

/** Content by hash, held by sessions: it stays while any of them holds it, so a fork outlives its parent. */
export interface BlobStore {
  /** Stored when it resolves, also if the process dies then; on the disk before any synced fact behind it. */
  put(holder: string, content: Uint8Array | string): Promise<BlobRef>
  get(holder: string, hash: Hash, range?: { start: number; end: number }): Promise<Uint8Array | undefined>
  /** Lets `to` hold, too, what `from` holds of these. */
  share(from: string, to: string, hashes: Iterable<Hash>): Promise<void>
  release(holder: string, hash?: Hash): Promise<void>
  /** Waits until everything that was put for a holder is on the disk. */
  flush(holder: string): Promise<void>
}

/** What is under way in a session and not yet a fact. */
export interface OpenTurn {
  turnId?: string
  parts: string[]
  progress: { [callId: string]: { offset: number; text: string } }
  state?: Extract<Live, { type: 'session-state' }>
}

/** Live events of each session, to whoever is there. */
export interface LiveBus {
  publish(id: string, live: Live): void
  /** The open turn so far and every event after it, in one step. */
  subscribe(id: string, listener: (live: Live) => void): { open: OpenTurn; close(): void }
  /** The turn or call has become a fact: late joiners read it there. */
  settle(id: string, done: { turnId: string } | { callId: string }): void
}
