import { LogError } from '@maru/protocol'
import type { Client, Pool, PoolClient } from 'pg'
import {
  type Engine,
  identify,
  type Nodes,
  type NoticeListener,
  parseInteger,
  parseTime,
  type Queries,
  TYPES,
} from './engine.ts'

export interface PostgresOptions {
  url: string
  /** Connections at most. */
  connections?: number
}

const OLDEST = 150_000
const CHANNEL = 'maru'

/** A PostgreSQL server, which any number of nodes may share. */
export async function openPostgres({ url, connections = 8 }: PostgresOptions): Promise<Engine> {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  types.setTypeParser(TYPES.int8, parseInteger)
  types.setTypeParser(TYPES.numeric, Number)
  types.setTypeParser(TYPES.timestamp, parseTime)
  types.setTypeParser(TYPES.timestamptz, parseTime)
  const config = { connectionString: url, types, options: '-c TimeZone=UTC -c jit=off', application_name: 'maru' }
  const pool = new pg.Pool({ ...config, max: connections })
  // A connection that breaks while nobody uses it is replaced by the next one that is asked for.
  pool.on('error', () => undefined)
  // One that breaks in use fails its query, which says so; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    const { rows } = await pool.query<{ version: string }>(`select current_setting('server_version_num') as version`)
    const version = Number(rows[0]?.version)
    if (!(version >= OLDEST)) throw new LogError('failed', `PostgreSQL 15 or newer is needed, this is ${version}`)
  } catch (error) {
    await pool.end()
    if (error instanceof LogError) throw error
    throw new LogError('failed', `the database does not answer: ${(error as Error).message}`, { cause: error })
  }
  return new PostgresEngine(pool, () => new pg.Client(config))
}

class PostgresEngine implements Engine {
  readonly kind = 'postgres'
  readonly nodes: Nodes
  readonly #pool: Pool
  #closed: Promise<void> | undefined

  constructor(pool: Pool, connect: () => Client) {
    this.#pool = pool
    this.nodes = {
      // The pool's own connections: an announcement holds a lock that all commits want, so it travels alone.
      announce: async (payload) => {
        await pool.query('select pg_notify($1, $2)', [CHANNEL, payload])
      },
      listen: async (listener) => {
        const ear = new Ear(connect, listener)
        await ear.open()
        return ear
      },
    }
  }

  async as<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact(`begin; ${identify(user)}`, work)
  }

  async read<T>(user: string, work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact(`${READ_ONLY}; ${identify(user)}`, work)
  }

  asOwner<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    return this.#transact('begin', work)
  }

  // A server looks after itself.
  async upkeep(): Promise<void> {}

  async upkeepDue(): Promise<'none'> {
    return 'none'
  }

  noteErasing(): void {}

  close(): Promise<void> {
    this.#closed ??= this.#pool.end()
    return this.#closed
  }

  async #transact<T>(opening: string, work: (db: Queries) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(opening, work)
      } catch (error) {
        if (tries === MOST_TRIES || !(error instanceof Undone)) throw error instanceof Undone ? error.cause : error
        await new Promise((resolve) => setTimeout(resolve, tries * AGAIN_MS))
      }
    }
  }

  async #once<T>(opening: string, work: (db: Queries) => Promise<T>): Promise<T> {
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw isLost(error) ? new Undone(error) : error
    }
    try {
      const result = await attempt(client, opening, work)
      client.release()
      return result
    } catch (error) {
      const cause = error instanceof Undone ? error.cause : error
      // Whatever state it is in, nobody should get it.
      client.release(isLost(cause) ? (cause as Error) : undefined)
      throw error
    }
  }
}

const READ_ONLY = 'begin read only'
const MOST_TRIES = 5
const AGAIN_MS = 30

/** Nothing of the transaction stands: it may be tried once more. */
class Undone extends Error {
  constructor(cause: unknown) {
    super('undone', { cause })
  }
}

async function attempt<T>(client: PoolClient, opening: string, work: (db: Queries) => Promise<T>): Promise<T> {
  try {
    await client.query(opening)
    const result = await work({
      async query<Row extends object>(sql: string, params?: readonly unknown[]) {
        if (params !== undefined) return (await client.query<Row>(sql, [...params])).rows
        const answer = await client.query<Row>(sql)
        // Several statements give several answers.
        return Array.isArray(answer) ? ((answer as (typeof answer)[]).at(-1)?.rows ?? []) : answer.rows
      },
    })
    // Lost from here on, nobody knows what became of what it wrote: only the caller can tell, by its keys.
    await client.query('commit').catch((error: unknown) => {
      throw isTransient(error) || opening.startsWith(READ_ONLY) ? new Undone(error) : new Uncertain(error)
    })
    return result
  } catch (error) {
    if (error instanceof Uncertain) throw error.cause
    if (!isLost(error)) await client.query('rollback').catch(() => undefined)
    throw isLost(error) || isTransient(error) ? new Undone(error) : error
  }
}

class Uncertain extends Error {
  constructor(cause: unknown) {
    super('uncertain', { cause })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// The server ended the connection, or the connection ended.
function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (['57P01', '57P02', '57P03'].includes(code) || /^(08...|ECONN\w+|EPIPE)$/.test(code)) return true
  return error instanceof Error && /Connection terminated|not queryable/.test(error.message)
}

// Two that waited for each other, or met in the same row: one of them starts over.
function isTransient(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

const RETRY_MS = [50, 200, 1000, 5000] as const

/** One connection that listens, and comes back when it was lost. */
class Ear {
  readonly #connect: () => Client
  readonly #listener: NoticeListener
  #client: Client | undefined
  #failures = 0
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(connect: () => Client, listener: NoticeListener) {
    this.#connect = connect
    this.#listener = listener
  }

  async open(): Promise<void> {
    const client = this.#connect()
    client.on('notification', ({ payload }) => this.#listener.onNotice(payload ?? ''))
    const lost = () => this.#lost(client)
    client.on('error', lost).on('end', lost)
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    this.#client = client
    this.#failures = 0
    if (this.#isClosed) await client.end()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.#client?.end().catch(() => undefined)
  }

  #lost(client: Client): void {
    if (this.#isClosed || (this.#client !== client && this.#client !== undefined) || this.#retry) return
    this.#client = undefined
    const wait = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)]
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.open().then(
        () => this.#listener.onGap(),
        () => this.#lost(client),
      )
    }, wait)
    this.#retry.unref()
  }
}
