import {
  type Change,
  LogError,
  MAX_FRAME_BYTES,
  type Recorded,
  type SessionInfo,
  type SessionLog,
  type SessionStart,
} from '@maru/protocol'
import type { Connection } from './connect.ts'
import { type CallLog, isInDoubt } from './log-calls.ts'
import { toLogError } from './problem-error.ts'
import { readFact } from './read-fact.ts'
import { createRemoteLeases } from './remote-leases.ts'

/**
 * The server's log, as if it were here. While the server is away everything waits; whoever does not want to wait watches
 * the connection and closes this. What was cut off is asked again and has its effect once.
 */
export function createRemoteLog(connection: Connection): SessionLog {
  const closing = new AbortController()
  const erased = new Map<string, number>()
  const expectOpen = () => {
    if (closing.signal.aborted) throw closed()
  }
  const ask = async (question: Parameters<Connection['ask']>[0]) => {
    expectOpen()
    expectShort(question)
    try {
      return await connection.ask(question, closing.signal)
    } catch (error) {
      throw toLogError(error)
    }
  }
  const call: CallLog = async (wanted) => {
    const { value } = await ask({ type: 'call', call: wanted })
    return value as never
  }
  const leases = createRemoteLeases(connection, { call, readBehind: (id, seq) => read(id, seq) })

  async function* read(id: string, after = 0): AsyncGenerator<Recorded, void> {
    for (let last = after; ; ) {
      const facts = await call({ op: 'read', id, after: last })
      for (const fact of facts) yield readFact(fact)
      const end = facts.at(-1)
      if (!end) return
      last = end.seq
    }
  }

  async function* list(): AsyncGenerator<SessionInfo, void> {
    for (let after: string | undefined; ; ) {
      const page = await call({ op: 'list', ...(after !== undefined && { after }) })
      yield* page
      after = page.at(-1)?.id
      if (after === undefined) return
    }
  }

  async function* follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Recorded, void> {
    expectOpen()
    const before = erased.get(id)
    try {
      yield* connection.follow(id, after, AbortSignal.any([signal, closing.signal]))
    } catch (error) {
      const problem = toLogError(error)
      // We have erased it ourselves, before the server came to look for it.
      if (problem.code !== 'missing' || erased.get(id) === before) throw problem
    }
  }

  return {
    async create(id, start) {
      try {
        return readFact(await call({ op: 'create', id, start }))
      } catch (error) {
        const own = isInDoubt(error, 'exists') && (await findStart(read(id, start.forkOf?.seq ?? 0), start))
        if (own) return own
        throw error
      }
    },
    list,
    lease: (id) => leases.take(id),
    async admit(id, fact) {
      return readFact((await ask({ type: 'admit', session: id, fact })).value as Recorded)
    },
    append: async (id, holder, facts) => (await leases.append(id, holder, facts)).map(readFact),
    read,
    follow,
    watch(cursor, signal): AsyncIterable<Change> {
      return connection.watch(cursor, AbortSignal.any([signal, closing.signal]))
    },
    async erase(id, seq) {
      if (seq === undefined) erased.set(id, (erased.get(id) ?? 0) + 1)
      try {
        await call({ op: 'erase', id, ...(seq !== undefined && { seq }) })
      } catch (error) {
        // Gone is what was wanted.
        if (seq !== undefined || !isInDoubt(error, 'missing')) throw error
      }
    },
    async close() {
      if (closing.signal.aborted) return
      // Where nobody listens they run out by themselves.
      if (connection.state === 'open') await Promise.race([leases.releaseAll(), isCut(connection)])
      leases.close()
      closing.abort(closed())
    },
  }
}

// An id is made up by whoever begins a session: one that began like ours, under our id, is ours.
async function findStart(facts: AsyncIterable<Recorded>, start: SessionStart): Promise<Recorded | undefined> {
  for await (const fact of facts) {
    const isOurs = fact.type === 'session-start' && fact.door === start.door && fact.agent.kind === start.agent.kind
    return isOurs ? fact : undefined
  }
  return undefined
}

function isCut(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.onState(() => {
      stop()
      resolve()
    })
  })
}

function expectShort(question: unknown): void {
  const text = JSON.stringify(question)
  // At most three bytes a unit.
  if (text.length * 3 < MAX_FRAME_BYTES - 256) return
  const bytes = new TextEncoder().encode(text).length
  if (bytes < MAX_FRAME_BYTES - 256) return
  throw new LogError('rejected', `${bytes} bytes are too many for one frame: content belongs into blobs`)
}

function closed(): LogError {
  return new LogError('closed', 'this log was closed')
}
