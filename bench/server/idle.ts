import type { History } from '@maru/store'
import { judge, type Verdict } from '../claim.ts'
import { inTurn, summarize } from '../side-by-side.ts'
import { tell } from '../store/show.ts'
import type { BareSocketsAnswers } from './bare-sockets.ts'
import { type Database, makeDatabase, type Person } from './databases.ts'
import type { ListenerAnswers } from './listeners.ts'
import type { MaruAnswers } from './maru.ts'
import type { Memory } from './measure.ts'
import type { Processes } from './processes.ts'

const ROUNDS = 3
const SESSION = 'quiet'

/** What a socket costs that follows a session where nothing happens: many of them, and what more of them add. */
export async function benchIdle(
  processes: Processes,
  { few, many }: { few: number; many: number },
): Promise<Verdict[]> {
  const wish = { people: 1, fill: beginSession }
  const database = (await makeDatabase('postgres', wish)) ?? (await makeDatabase('pglite', wish))
  if (!database) return []
  try {
    const counts = { few, many }
    const runs = await inTurn<Memory>(
      [() => ofMaru(processes, database, counts), () => ofBare(processes, database, counts)],
      {
        rounds: ROUNDS,
        warmups: 0,
      },
    )
    const [maru = [], bare = []] = runs
    const timings = [
      summarize(
        'Maru, resident',
        maru.map(({ rss }) => rss),
        'kB',
      ),
      summarize(
        'Maru, heap',
        maru.map(({ heap }) => heap),
        'kB',
      ),
      summarize(
        'bare ws, resident',
        bare.map(({ rss }) => rss),
        'kB',
      ),
      summarize(
        'bare ws, heap',
        bare.map(({ heap }) => heap),
        'kB',
      ),
    ]
    const text = `memory of an idle socket that follows a session: what ${many} take more than ${few}, by their number`
    return [judge(timings, { text, of: 'Maru, resident', under: 40 })]
  } finally {
    await database.dispose()
  }
}

async function beginSession(history: History, [person]: Person[]): Promise<void> {
  const { log } = await history.openOwner(person?.id ?? '')
  await log.create(SESSION, { agent: { kind: 'maru' }, door: 'api' })
  await log.close()
}

interface Counts {
  few: number
  many: number
}

// A process of its own each time: one that has had many sockets keeps their memory for the next.
async function ofMaru(processes: Processes, { ours }: Database, counts: Counts): Promise<Memory> {
  const server = processes.start<MaruAnswers>('maru')
  const url = await server.ask('open', ours)
  return measure(processes, {
    url,
    token: ours.owner.token,
    memory: () => server.ask('memory'),
    stop: server.stop,
    counts,
  })
}

async function ofBare(processes: Processes, { ours }: Database, counts: Counts): Promise<Memory> {
  const server = processes.start<BareSocketsAnswers>('bare-sockets')
  const url = await server.ask('open')
  return measure(processes, {
    url,
    token: ours.owner.token,
    memory: () => server.ask('memory'),
    stop: server.stop,
    counts,
  })
}

interface Measured {
  url: string
  token: string
  memory(): Promise<Memory>
  stop(): Promise<void>
  counts: Counts
}

async function measure(
  processes: Processes,
  { url, token, memory, stop, counts: { few, many } }: Measured,
): Promise<Memory> {
  const listeners = processes.start<ListenerAnswers>('listeners')
  const open = (clients: number) =>
    listeners.ask('open', { url, audiences: [{ token, sessions: [SESSION], clients, after: 1 }] })
  await open(few)
  const before = await memory()
  await open(many - few)
  const after = await memory()
  await listeners.stop()
  await stop()
  const each = (one: number, other: number) => (other - one) / (many - few) / 1_000
  tell(`${many} sockets: ${(after.rss / 1e6).toFixed(0)} MB resident, ${(after.heap / 1e6).toFixed(0)} MB of heap`)
  return { rss: each(before.rss, after.rss), heap: each(before.heap, after.heap) }
}
