import type { Upkeep } from './upkeep-notes.ts'

/** Asks the database, inside a transaction. Numbers come as numbers, times as milliseconds, JSON parsed, bytes as bytes. */
export interface Queries {
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>
}

export interface UpkeepOptions {
  /** Writes everything anew if something was erased, however long that takes; else only what is small. */
  isThorough?: boolean
}

/** Who hears of what other nodes write. */
export interface NoticeListener {
  onNotice(payload: string): void
  /** Some may have been missed: look for yourself. */
  onGap(): void
}

/** A database that speaks PostgreSQL: embedded in this process, or a server. The same queries and types on both. */
export interface Engine {
  readonly kind: 'pglite' | 'postgres'
  /** One transaction as the application's role, in which the database itself knows who asks. */
  as<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T>
  /** The same, in which nothing can be changed: whatever breaks meanwhile, it is asked once more. */
  read<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T>
  /** One transaction as the owner of the tables: migrations, accounts, upkeep; never for somebody's request. */
  asOwner<T>(work: (db: Queries) => Promise<T>): Promise<T>
  /** Other nodes, where there can be any; none where this process is alone. */
  readonly nodes: Nodes | undefined
  /** What a database needs now and then and nobody else does here; to be called when nothing else is going on. */
  upkeep(options?: UpkeepOptions): Promise<void>
  /** Whether it is time for it. */
  upkeepDue(): Promise<Upkeep>
  /** Something is about to be erased: what its rows leave behind on the disk goes with the next upkeep that writes anew. */
  noteErasing(): void
  /** May be called twice. */
  close(): Promise<void>
}

/** A channel to all nodes that share the database. */
export interface Nodes {
  announce(payload: string): Promise<void>
  listen(listener: NoticeListener): Promise<{ close(): Promise<void> }>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a transaction begins with: no rights but the application's, and the name under which every policy judges. */
export function identify(user: string): string {
  // It becomes part of a statement: nothing but a UUID may.
  if (!UUID.test(user)) throw new Error('an identity is a UUID')
  return `set local role maru_app; select set_config('app.user_id', '${user}', true)`
}

/** Object identifiers of the types that the two drivers read differently if left alone. */
export const TYPES = { bytes: 17, int8: 20, numeric: 1700, timestamp: 1114, timestamptz: 1184 } as const

export function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database counted to ${text}, which is too far`)
  return value
}

export function parseTime(text: string): number {
  // 2026-11-16 06:52:37.123+00, as a session in UTC prints it.
  const time = Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`)
  if (Number.isNaN(time)) throw new RangeError(`the database gave "${text}" as a time`)
  return time
}

export function parseBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex')
}

/** A time as both engines take it. */
export function toTime(at: number): string {
  const bounded = Math.min(Math.max(Number.isFinite(at) ? at : 0, MIN_TIME), MAX_TIME)
  return new Date(bounded).toISOString()
}

// What four digits of a year can say: beyond them the two sides write it differently.
const MIN_TIME = Date.UTC(1, 0, 1)
const MAX_TIME = Date.UTC(9999, 0, 1)
