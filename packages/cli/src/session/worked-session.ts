import type { BlobStore, SessionLog, StateCache } from '@maru/protocol'

/** A session as the agent needs it, wherever its log is: in a file, in the history, with a server. */
export interface WorkedSession {
  readonly id: string
  readonly log: SessionLog
  readonly blobs: BlobStore
  readonly states?: StateCache
  /** What does not belong into the log is kept below this, in a folder of the session's name. */
  readonly directory: string
  /** Told of each snapshot of the work tree, where no file of facts says which ones the session holds. */
  onTree?(id: string): void
}
