import type { SessionDeps } from '@maru/agent'
import type { Actor, BlobStore, LiveBus, Recorded, SessionLog } from '@maru/protocol'
import type { Access, History, OwnHistory, Summarise } from '@maru/store'

/** What a session of an agent is begun with, or continued. */
export interface AgentWish {
  id: string
  /** A root that the server was started with, or a folder below one: checked by then. */
  root: string
  provider?: string
  model?: string
  mode?: 'ask' | 'auto' | 'read-only' | 'yes'
  log: SessionLog
  blobs: BlobStore
  live: LiveBus
  /** Something that people should know, for every door of the session. */
  onNotice(line: string): void
}

/** An agent put together for one session; its engine is `runSession`. */
export interface Agent {
  deps: SessionDeps
  /** To be told of each new fact. */
  fact(record: Recorded): void
  close(): Promise<void>
}

/** What only the program that starts the server can do: it reads the configuration and knows the hands. */
export interface Workshop {
  openAgent(wish: AgentWish): Promise<Agent>
  /** What the agent changed in a session's repository, as a unified diff. */
  diff(session: { id: string; root: string; log: SessionLog; blobs: BlobStore }): Promise<string>
  /** Takes the changes of a run back, or of the last one, in somebody's name; what was restored, and what could not be. */
  undo(
    session: { id: string; root: string; log: SessionLog; blobs: BlobStore },
    wish: { by: Actor; runId?: string },
  ): Promise<{ restored: string[]; kept: { path: string; why: string }[] }>
  /** The conversation as a file of this format, piece by piece. */
  exportConversation(
    own: OwnHistory,
    id: string,
    options: { format: 'md' | 'json' | 'txt' | 'html' | 'jsonl'; hasMetadata: boolean },
  ): AsyncIterable<string>
  /** Reads an uploaded file into somebody's history; what it could not read is reported, not thrown. */
  importUpload(
    own: OwnHistory,
    file: { path: string; name: string },
    onProgress: (done: { bytes: number; total: number; sessions: number; messages: number }) => void,
    signal: AbortSignal,
  ): Promise<{ added: number; grown: number; same: number; messages: number; problems: string[] }>
  /** Asks a model for a summary; where there is none, nobody can ask for one, and what was asked for before waits. */
  summarise?: Summarise
}

export interface Limits {
  /** Of a request's body, in bytes; uploads have one of their own. */
  body: number
  upload: number
  /** Sockets in all, and of one person. */
  sockets: number
  socketsEach: number
  /** Agents that work at the same time. */
  agents: number
  /** Messages and inputs of one person in a minute. */
  messagesPerMinute: number
  /** Wrong attempts to sign in from one address in a minute. */
  attemptsPerMinute: number
}

export interface ServerOptions {
  history: History
  access: Access
  workshop: Workshop
  /** Of whoever started it: owns what local doors do. */
  owner: { id: string; name: string }
  version: string
  host: string
  /** 0 for any that is free. */
  port: number
  tls?: { key: string; cert: string }
  /** Agents work in these folders, and below them. */
  roots: string[]
  /** Pages elsewhere that may use the API: origins, compared parsed. The server's own is always allowed. */
  allowedOrigins: string[]
  /** Names under which it may be reached, beside the loopback's own and `host`. */
  allowedHosts?: string[]
  /** Behind a reverse proxy on this machine: who asks, and by which scheme, is what it says. */
  isBehindProxy?: boolean
  limits?: Partial<Limits>
  /** One JSON line for the operator. Holds no secret, no content. */
  onLog(entry: { level: 'info' | 'warn' | 'error'; event: string; [name: string]: unknown }): void
  now(): number
}

export interface RunningServer {
  /** `http://127.0.0.1:4242`, without a slash at its end. */
  url: string
  /** A link for the owner's browser, good once, with its token in the fragment. */
  makeLink(): Promise<string>
  /** A code of few digits for a phone, good once and for a few minutes. */
  makePairing(): Promise<{ code: string; link: string }>
  /** Says goodbye to sockets, lets agents come to a stop that can be resumed, waits for what is being stored. May be called twice. */
  close(): Promise<void>
}
