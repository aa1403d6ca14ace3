import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Actor, api, LiveBus, Recorded } from '@maru/protocol'
import type { Key, OwnHistory } from '@maru/store'
import type { Limits, ServerOptions } from './ports.ts'

/** Everything the parts of the server share: one of each per process. */
export interface Inside {
  options: ServerOptions
  limits: Limits
  /** One bus per person: what happens live in their sessions, whoever runs them. */
  liveOf(owner: string): LiveBus
  /** Somebody's part of the history, opened once and kept while it is used. */
  ownOf(owner: string): Promise<OwnHistory>
  /** Told when a key ends (revoked, signed out, over), so that whatever it had opened is closed. */
  onKeyEnd(listener: (keyId: string) => void): () => void
  endKey(keyId: string): void
  /** Counts for /metrics: `sockets`, `requests`, … */
  count(name: string, amount?: number, labels?: { [name: string]: string }): void
  gauge(name: string, value: number): void
}

/** Agents at work in this process. */
export interface Agents {
  /** Begins a session; with an input, its run. Who wants it is who has the key, at no particular door, unless said. */
  start(key: Key, wish: api.NewSession, by?: Actor): Promise<api.Session>
  /** A page, the youngest first. */
  list(key: Key, page: { limit: number; cursor?: string }): Promise<{ items: api.Session[]; nextCursor?: string }>
  /** Whether an agent of this process has its hands in the session's folder, or waits for an answer before it goes on. */
  isAtWork(owner: string, id: string): boolean
  /** Makes sure that somebody works on what was admitted to a session of an agent, unless it runs elsewhere. Never throws. */
  wake(owner: string, id: string): void
  /** After any fact was admitted through any door. */
  onAdmitted(owner: string, id: string, record: Recorded): void
  /** Work stops where it can be resumed. */
  close(): Promise<void>
}

/** The socket door. */
export interface Sockets {
  /** Takes over an upgrade whose Host, Origin and key were checked. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, key: Key): void
  readonly size: number
  close(): Promise<void>
}
