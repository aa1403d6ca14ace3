import { Agent, request } from 'node:http'
import type { History } from '@maru/store'
import { judge, type Verdict } from '../claim.ts'
import { inTurn, summarize } from '../side-by-side.ts'
import { tell } from '../store/show.ts'
import type { BareSocketsAnswers } from './bare-sockets.ts'
import { type Database, makeDatabase, type Person } from './databases.ts'
import type { Audience, Delivery, ListenerAnswers } from './listeners.ts'
import type { MaruAnswers, Stamp } from './maru.ts'
import { micros, percentile } from './measure.ts'
import type { Helper, Processes } from './processes.ts'

const OWNERS = 10
const PER_SECOND = 20
const ROUNDS = 6
const CHARACTERS = 400

/** What one minute, or as long as it is said, of messages to many clients took. */
interface Heard {
  /** From the moment a message was there until a client had it, milliseconds. */
  told: number[]
  /** The same from the moment it was sent. */
  whole: number[]
}

/**
 * Many clients on one node, each following its owner's session, while messages come at a steady rate: each reaches each of
 * them once and in order. Beside it the same messages to as many clients of a bare socket server, which stores nothing, so
 * what is compared begins where a message is there: stored by the one, read by the other.
 */
export async function benchFanOut(
  processes: Processes,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Verdict[]> {
  const database = await makeMeeting()
  try {
    const maru = processes.start<MaruAnswers>('maru')
    const bare = processes.start<BareSocketsAnswers>('bare-sockets')
    const each = Math.max(1, Math.round(clients / OWNERS))
    const audiences = database.people.map((person) => audienceOf(person, each))
    const stages = [
      await openStage(
        { name: 'Maru', server: maru, url: await maru.ask('open', database.ours) },
        { processes, audiences },
      ),
      await openStage({ name: 'bare ws', server: bare, url: await bare.ask('open') }, { processes, audiences }),
    ] as const
    const turns = stages.map((stage) => () => stage.play(seconds / ROUNDS))
    const runs = await inTurn<Heard>(turns, { rounds: ROUNDS, warmups: 1 })
    for (const { close } of stages) await close()
    const timings = stages.map(({ name }, n) => {
      const heard = runs[n] ?? []
      show(name, heard)
      return summarize(
        name,
        heard.map(({ told }) => percentile(told, 50)),
      )
    })
    const count = runs[0]?.reduce((sum, { told }) => sum + told.length, 0)
    const text = `${each * OWNERS} clients on one node (${database.kind}), ${count} deliveries, each once and in order: the median from acknowledged to received, against a bare socket server`
    return [judge(timings, { text, of: 'Maru', against: 'bare ws', atMost: 3 })]
  } finally {
    await database.dispose()
  }
}

async function makeMeeting(): Promise<Database> {
  const wish = { people: OWNERS, fill: beginSessions }
  return ((await makeDatabase('postgres', wish)) ?? (await makeDatabase('pglite', wish))) as Database
}

async function beginSessions(history: History, people: Person[]): Promise<void> {
  for (const { id } of people) {
    const { log } = await history.openOwner(id)
    await log.create(sessionOf(id), { agent: { kind: 'maru' }, door: 'api' })
    await log.close()
  }
}

function sessionOf(owner: string): string {
  return `meeting-${owner}`
}

function audienceOf({ id, token }: Person, clients: number): Audience {
  // The session's own beginning is its first fact.
  return { token, sessions: [sessionOf(id)], clients, after: 1 }
}

interface Server {
  name: string
  server: Pick<Helper<{ stamps(): Promise<Stamp[]> }>, 'ask' | 'stop'>
  url: string
}

// A server with its clients, in front of which a part of the time is played at a time.
async function openStage(
  { name, server, url }: Server,
  { processes, audiences }: { processes: Processes; audiences: Audience[] },
) {
  const listeners = processes.start<ListenerAnswers>('listeners')
  await listeners.ask('open', { url, audiences })
  const agent = new Agent({ keepAlive: true })
  const counts: { [session: string]: number } = {}
  const senders = audiences.map(({ token, sessions: [session = ''] }) => {
    let last: Promise<unknown> = Promise.resolve()
    return {
      // In a session, one behind the other: the order of what is sent at the same time is nobody's promise.
      send() {
        last = last.then(() => {
          const count = (counts[session] ?? 0) + 1
          counts[session] = count
          return post(agent, { url, token, session, text: `${count} ${micros()} `.padEnd(CHARACTERS, '가나다 abc ') })
        })
        return last
      },
    }
  })
  return {
    name,
    async play(seconds: number): Promise<Heard> {
      const began = performance.now()
      const sending: Promise<unknown>[] = []
      for (let n = 0; n < seconds * PER_SECOND; n++) {
        const wait = began + (n * 1_000) / PER_SECOND - performance.now()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        const sender = senders[n % senders.length]
        if (sender) sending.push(sender.send())
      }
      await Promise.all(sending)
      const came = await listeners.ask('collect', counts)
      return compare(came, await server.ask('stamps'))
    },
    async close() {
      agent.destroy()
      await listeners.stop()
      await server.stop()
    },
  }
}

function compare(came: Delivery[], stamps: Stamp[]): Heard {
  const there = new Map(stamps.map(([session, seq, at]) => [`${session} ${seq}`, at]))
  const heard: Heard = { told: [], whole: [] }
  for (const [session, seq, sent, received] of came) {
    heard.told.push((received - (there.get(`${session} ${seq}`) ?? Number.NaN)) / 1_000)
    heard.whole.push((received - sent) / 1_000)
  }
  return heard
}

function show(name: string, heard: Heard[]): void {
  const line = (what: string, values: number[]) =>
    `${what} ${[50, 95, 99].map((percent) => percentile(values, percent).toFixed(2)).join(' / ')}`
  const told = heard.flatMap((one) => one.told)
  const whole = heard.flatMap((one) => one.whole)
  tell(
    `${name}: ${told.length} deliveries, ms, 50th / 95th / 99th of a hundred: ${line('from acknowledged', told)}, ${line('from sent', whole)}`,
  )
}

function post(
  agent: Agent,
  { url, token, session, text }: { url: string; token: string; session: string; text: string },
): Promise<void> {
  const content = JSON.stringify({ clientId: text.split(' ', 2).join('.'), role: 'user', content: text })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api/v1/conversations/${session}/messages`, { method: 'POST', agent, headers })
    asked.on('error', reject)
    asked.on('response', (response) => {
      response.resume()
      if (response.statusCode !== 201) reject(new Error(`a message was answered with ${response.statusCode}`))
      response.on('end', resolve)
    })
    asked.end(content)
  })
}
