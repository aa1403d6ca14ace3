import {
  factProblem,
  type LogAnswers,
  type LogCall,
  LogError,
  type Recorded,
  type SessionInfo,
  type SessionLog,
} from '@maru/protocol'
import type { HeldLeases } from './held-leases.ts'

const PAGE_FACTS = 500
const PAGE_CHARACTERS = 256 * 1024
const PAGE_SESSIONS = 100

/** What a client is in the middle of reading. */
export interface Listing {
  last: string
  rest: AsyncIterator<SessionInfo>
}

interface Caller<Holder> {
  holder: Holder
  owner: string
  log: SessionLog
  leases: HeldLeases<Holder>
  /** Of the list that was last asked for, so that the next page need not begin at the first. */
  listing: { open?: Listing }
}

/** Does for a runner elsewhere what it asks of this server's log. */
export async function answerCall<Holder>(caller: Caller<Holder>, call: LogCall): Promise<LogAnswers[LogCall['op']]> {
  const { log, leases, holder, owner } = caller
  switch (call.op) {
    case 'create':
      expectFact({ type: 'session-start', ...(call.start as object) })
      return log.create(call.id, call.start)
    case 'lease': {
      const { id, key } = call
      const { epoch, last } = await leases.take(holder, { owner, id, log, ...(key !== undefined && { key }) })
      return { epoch, last }
    }
    case 'renew': {
      const held = leases.find(holder, { owner, id: call.id, epoch: call.epoch })
      if (!held) throw over(call)
      await held.lease.renew()
      return null
    }
    case 'release': {
      const held = leases.find(holder, { owner, id: call.id, epoch: call.epoch })
      if (held) await leases.release(held)
      return null
    }
    case 'append': {
      for (const fact of call.facts) expectFact(fact)
      if (!leases.find(holder, { owner, id: call.id, epoch: call.holder.epoch })) {
        throw over({ id: call.id, epoch: call.holder.epoch })
      }
      return log.append(call.id, call.holder, call.facts)
    }
    case 'read':
      return readPage(log, call.id, call.after)
    case 'list':
      return listPage(caller, call.after)
    case 'erase':
      await log.erase(call.id, call.seq)
      return null
    default:
      return call satisfies never
  }
}

function over({ id, epoch }: { id: string; epoch: number }): LogError {
  return new LogError('conflict', `lease ${epoch} on session ${id} is over`)
}

function expectFact(fact: unknown): void {
  const isFact = typeof fact === 'object' && fact !== null && 'type' in fact && typeof fact.type === 'string'
  const problem = isFact ? factProblem(fact as Parameters<typeof factProblem>[0]) : 'not a fact'
  if (problem !== undefined) throw new LogError('rejected', problem)
}

async function readPage(log: SessionLog, id: string, after: number): Promise<Recorded[]> {
  const page: Recorded[] = []
  let size = 0
  for await (const record of log.read(id, after)) {
    page.push(record)
    size += JSON.stringify(record).length
    if (page.length >= PAGE_FACTS || size >= PAGE_CHARACTERS) break
  }
  return page
}

async function listPage<Holder>({ log, listing }: Caller<Holder>, after: string | undefined): Promise<SessionInfo[]> {
  let rest = listing.open && listing.open.last === after ? listing.open.rest : undefined
  delete listing.open
  let isBehind = rest !== undefined || after === undefined
  rest ??= log.list()[Symbol.asyncIterator]()
  const page: SessionInfo[] = []
  while (page.length < PAGE_SESSIONS) {
    const next = await rest.next()
    if (next.done === true) return page
    if (isBehind) page.push(next.value)
    else isBehind = next.value.id === after
  }
  const last = page.at(-1)
  if (last) listing.open = { last: last.id, rest }
  return page
}
