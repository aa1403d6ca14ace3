import type {
  Access,
  BlobStore,
  LiveBus,
  ModelParams,
  ModelProvider,
  SessionLog,
  ToolSource,
  Usage,
} from '@maru/protocol'

/** What a policy says about a call, and why. */
export interface Decision {
  verdict: 'allow' | 'ask' | 'deny'
  rule: string
  reason: string
}

/** What bounds a run. Absent means unbounded, but for turns. */
export interface Limits {
  turns: number
  tokens?: number
  milliseconds?: number
  money?: number
}

export interface Settings {
  provider: string
  model: string
  system: string
  params: ModelParams
  limits: Limits
  /** Nobody can answer: what would be asked is denied. */
  isUnattended: boolean
  /** Nothing that has an effect is run; it is only said what would be. */
  isDryRun: boolean
  /** The first turn of a run must call a tool. */
  forceFirstTool: boolean
}

/** Keeps the work tree as it is around calls that may change anything in it, so that they can be taken back. */
export interface Snapshots {
  /** Nothing where it cannot be kept: the call runs all the same, and cannot be taken back. */
  take(signal: AbortSignal, options?: { since?: string }): Promise<{ id: string; skipped: string[] } | undefined>
}

/** Everything the loop needs of the world. */
export interface SessionDeps {
  log: SessionLog
  blobs: BlobStore
  live: LiveBus
  provider: ModelProvider
  tools: ToolSource
  decide(access: Access[]): Decision
  settings: Settings
  snapshots?: Snapshots
  hash(text: string): string
  /** A clock that only goes forward, in milliseconds. */
  now(): number
  newId(): string
  /** What a run's tokens cost, where the price is known. */
  price?(usage: Usage): number | undefined
  /** The vendor's own events of a turn, as they came. */
  onRaw?(turnId: string, event: string): void
  /** A request is about to be repeated. */
  onRetry?(waitMs: number, message: string): void
}
