import type { History } from '@maru/store'
import { judge, type Verdict } from '../claim.ts'
import { inTurn, summarize } from '../side-by-side.ts'
import { type Chat, makeChat } from '../store/make-chat.ts'
import type { BareHttpAnswers } from './bare-http.ts'
import { type Database, makeDatabase, type Person } from './databases.ts'
import type { Kind, LoadAnswers } from './load.ts'
import type { MaruAnswers } from './maru.ts'
import type { Processes } from './processes.ts'

const CONVERSATIONS = 120
const MESSAGES = 50
const AT_ONCE = 20
const CONNECTIONS = 16
const ROUNDS = 5
// Adding comes last: it changes what the others read.
const KINDS: readonly Kind[] = ['list', 'open', 'search', 'append']

/** How many requests are answered in a time, beside a bare server that asks the same of the same database. */
export async function benchRequests(
  processes: Processes,
  { kind, seconds }: { kind: History['kind']; seconds: number },
): Promise<Verdict[]> {
  const chat = makeChat(20_261_116)
  const database = await makeDatabase(kind, { people: 1, fill: (history, people) => talk(history, people, chat) })
  if (!database) return []
  try {
    return await benchOn(database, { processes, chat, seconds })
  } finally {
    await database.dispose()
  }
}

async function benchOn(
  { kind: engine, ours, theirs }: Database,
  { processes, chat, seconds }: { processes: Processes; chat: Chat; seconds: number },
): Promise<Verdict[]> {
  const maru = processes.start<MaruAnswers>('maru')
  const bare = processes.start<BareHttpAnswers>('bare-http')
  const load = processes.start<LoadAnswers>('load')
  const servers = [
    { name: 'Maru', url: await maru.ask('open', ours), own: 0 },
    { name: 'bare http', url: await bare.ask('open', theirs), own: 1 },
  ]
  const words = [...chat.queries['three and more'], ...chat.queries.English, ...chat.rare]
  const common = { token: ours.owner.token, words, text: chat.next(), connections: CONNECTIONS, seconds }
  const verdicts: Verdict[] = []
  for (const kind of KINDS) {
    const turns = servers.map(({ url, own }) => () => {
      // Each adds to conversations of its own: to write the same ones at the same time is another bench.
      const ids = idsOf((n) => kind !== 'append' || n % 2 === own)
      return load.ask('run', { ...common, url, kind, ids })
    })
    const runs = await inTurn(turns, { rounds: ROUNDS, warmups: 1 })
    const timings = servers.map(({ name }, n) => summarize(name, runs[n] ?? []))
    const text = `${engine}: a thousand requests "${kind}" over ${CONNECTIONS} connections, against a bare server that asks the same of the same database (at least 0.6 times as many per second)`
    verdicts.push(judge(timings, { text, of: 'Maru', against: 'bare http', atMost: 1 / 0.6 }))
  }
  for (const one of [load, maru, bare]) await one.stop()
  return verdicts
}

function idsOf(isWanted: (n: number) => boolean): string[] {
  return Array.from({ length: CONVERSATIONS }, (_, n) => n)
    .filter(isWanted)
    .map((n) => `talk-${n}`)
}

async function talk(history: History, [person]: Person[], chat: Chat): Promise<void> {
  if (!person) return
  const own = await history.openOwner(person.id)
  const by = { kind: 'person', id: person.name, door: 'api' } as const
  const began = Date.now() - CONVERSATIONS * 60_000
  const ids = idsOf(() => true)
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    await own.begin(
      ids.slice(first, first + AT_ONCE).map((id, n) => {
        const at = began + (first + n) * 60_000
        const facts = Array.from({ length: MESSAGES }, (_, m) => ({
          at: at + m * 1_000,
          fact: {
            ...{
              type: 'message-add' as const,
              key: `${m}`,
              by,
              role: m % 2 === 0 ? ('user' as const) : ('assistant' as const),
            },
            parts: [{ type: 'text' as const, text: chat.next() }],
          },
        }))
        return { id, start: { at, start: { agent: { kind: 'maru' as const }, door: 'api' as const } }, facts }
      }),
    )
  }
  await own.log.close()
}
