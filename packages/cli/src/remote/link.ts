import type { api, BlobStore, Live, LiveBus, OpenTurn, Problem, Recorded, SessionLog } from '@maru/protocol'
import type { UndoReport } from '../agent/conversation-contract.ts'

/** Whether the server can be talked to, as far as that is known. */
export interface Connection {
  readonly isUp: boolean
  /** Nobody will be let in, however often it is tried. */
  readonly isRefused: boolean
  onChange(listener: () => void): () => void
}

/** Whoever looks at a session: facts once and in order, across any number of cuts. */
export interface Onlooker {
  facts(facts: Recorded[]): void
  /** What is under way now, whatever was heard of it before: all facts so far were given. */
  open(turn: OpenTurn): void
  live(event: Live): void
  /** It was erased, or never was. */
  gone(problem?: Problem): void
}

/** What this program uses of a server: one person's sessions, and what happens in them. */
export interface ServerLink {
  readonly url: string
  readonly log: SessionLog
  readonly blobs: BlobStore
  readonly live: LiveBus
  readonly connection: Connection
  listen(id: string, after: number, onlooker: Onlooker): { stop(): void }
  /** Sessions of agents, newest first. */
  sessions(): Promise<api.Session[]>
  /** Begins one that the server runs; its id. */
  begin(repo: string): Promise<string>
  diff(id: string): Promise<string>
  /** Takes one of its runs back. */
  undo(id: string, runId: string): Promise<Pick<UndoReport, 'restored' | 'left'>>
  /** May be called twice. */
  close(): Promise<void>
}
