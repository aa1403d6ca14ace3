import type { Masking } from '@maru/guard'
import type {
  Access,
  BlobStore,
  Json,
  LiveBus,
  ModelParams,
  ModelProvider,
  Permit,
  SessionLog,
  StateCache,
  ToolSource,
  Usage,
  Why,
} from '@maru/protocol'
import type { ContextSettings } from './context/settings.ts'

/** What a policy says about a call, and why. */
export interface Decision {
  verdict: 'allow' | 'ask' | 'deny'
  rule: string
  reason: string
  /** The same for doors that speak another language. */
  why?: Why
  /** What the call may do once it is let pass. */
  permit?: Permit
  /** The rules that would let such calls pass from now on, where there are narrow ones. */
  grant?: Json[]
  /** What the user could have said at the start for it to pass, as they would write it. */
  allowedBy?: string
}

/** A call that is to be judged. */
export interface JudgedCall {
  tool: string
  access: Access[]
  /** What the person has granted in this session. */
  grants: Json[]
  isTainted: boolean
}

/** What bounds a run. Absent means unbounded, but for turns. */
export interface Limits {
  turns: number
  tokens?: number
  milliseconds?: number
  money?: number
}

export interface Settings {
  /** How much the model may be given at a time; with defaults where nothing is said. */
  context?: ContextSettings
  provider: string
  model: string
  system: string
  params: ModelParams
  limits: Limits
  /** Nobody can answer: what would be asked is denied. */
  isUnattended: boolean
  /** How long an approval is waited for; then the answer is no. */
  approvalMs?: number
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
  /** What was read from the log before, where it is kept. */
  states?: StateCache
  blobs: BlobStore
  live: LiveBus
  provider: ModelProvider
  tools: ToolSource
  decide(call: JudgedCall): Promise<Decision>
  /** Keeps rules that the person has granted for good, beyond this session. */
  remember?(rules: Json[]): Promise<void>
  settings: Settings
  snapshots?: Snapshots
  /** Takes secrets out of what tools bring in before anybody sees it. */
  masking?: Masking
  /** A secret came back in this turn: what the vendor said of it is not to be kept. */
  onSecret?(turnId: string): void
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
