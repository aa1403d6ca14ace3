import { ClientFrame, FACTS, factSchemas, type ServerFrame } from '@maru/protocol'
import WebSocket from 'ws'
import type { Random } from '../../bench/patches/random.ts'
import { makeHostile, makeValue, type Schema } from './make-value.ts'
import { knownTo, type Person } from './person.ts'
import { schemaOf } from './schema-of.ts'

const FRAME = schemaOf(ClientFrame)
/** What changes something, or asks for an answer: half of what is sent. */
const REQUESTS: Schema = { oneOf: (FRAME.oneOf ?? []).filter(({ properties }) => properties?.['request']) }
const FACT_SCHEMAS = Object.entries(factSchemas).map(([type, shape]) => ({
  by: FACTS[type as keyof typeof FACTS].by,
  schema: schemaOf(shape),
}))
// One that can be stored: parts of other kinds name content that there is not.
const MESSAGE: Schema = {
  type: 'object',
  properties: {
    type: { const: 'message-add' },
    key: { type: 'string' },
    role: { enum: ['user', 'assistant', 'system'] },
    parts: { const: [{ type: 'text', text: '서버에서 word' }] },
    tokens: { type: 'integer' },
    metadata: {},
  },
  required: ['type', 'key', 'role', 'parts'],
}
const WAIT_MS = 60_000

/** One person's socket, which is opened again whenever the server has had enough of it. */
export interface SocketFuzz {
  /** Sends something, and looks now and then whether everything before it was dealt with. */
  send(twist: number): Promise<void>
  settle(): Promise<void>
  close(): void
  readonly sent: number
  /** What came back, by the kind of frame. */
  readonly received: { readonly [type: string]: number }
  readonly closed: number
}

interface Options {
  url: string
  me: Person
  other: Person
  random: Random
  onProblem(problem: Error): void
}

export function createSocketFuzz({ url, me, other, random, onProblem }: Options): SocketFuzz {
  const counts = { sent: 0, closed: 0 }
  const received: { [type: string]: number } = {}
  const recent: string[] = []
  const waiting = new Set<() => void>()
  // What is named like something of the other's, and is one's own all the same.
  const claimed = new Set<string>()
  let lease = { epoch: 1, last: 1 }
  let socket: WebSocket | undefined
  let pongs = 0
  let pings = 0

  const wake = () => {
    for (const look of [...waiting]) look()
  }
  const fail = (why: string) => onProblem(new Error(`${why}; sent before: ${recent.join('\n').slice(-3_000)}`))
  const look = (text: string) => {
    if (text.includes(other.marker)) fail(`a frame told ${me.name} of ${other.name}: ${text.slice(0, 500)}`)
    const frame = JSON.parse(text) as ServerFrame
    received[frame.type] = (received[frame.type] ?? 0) + 1
    if (frame.type === 'pong') pongs++
    const problem = 'problem' in frame ? frame.problem : undefined
    if (problem && problem.status >= 500) fail(`refused with ${JSON.stringify(problem)}`)
    if (frame.type === 'change' && 'id' in frame.change) {
      const { id } = frame.change as { id: string }
      if (other.ids.includes(id) && !claimed.has(id)) fail(`${me.name} was told of a change in ${id}`)
    }
    if (frame.type === 'result' && frame.value && 'epoch' in frame.value) lease = frame.value as typeof lease
    wake()
  }
  const open = async (): Promise<WebSocket> => {
    if (socket?.readyState === WebSocket.OPEN) return socket
    const own = new WebSocket(url.replace('http', 'ws').concat('/ws'), {
      headers: { authorization: `Bearer ${me.token}` },
    })
    own.on('message', (data) => look((data as Buffer).toString()))
    own.on('close', () => {
      counts.closed++
      wake()
    })
    own.on('error', () => undefined)
    await new Promise((resolve, reject) => own.once('open', resolve).once('error', reject))
    socket = own
    pings = 0
    pongs = 0
    return own
  }
  const settle = async () => {
    const own = await open()
    own.send('{"type":"ping"}')
    const wanted = ++pings
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(check)
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`no pong in a minute; sent before: ${recent.join('\n').slice(-3_000)}`))
      }, WAIT_MS)
      const check = () => {
        if (pongs < wanted && own.readyState === WebSocket.OPEN) return
        end()
        resolve()
      }
      waiting.add(check)
      check()
    })
  }
  const makeFrame = (twist: number): string | Buffer => {
    if (random.chance(twist / 2)) return makeRaw(random)
    const known = (name: string) => {
      if (name === 'epoch') return lease.epoch
      if (name === 'expect') return lease.last
      return knownTo(random, me, other, name)
    }
    const maker = { random, twist, known, resolve: () => ({}) }
    const frame = makeValue({ ...maker, twist: 0 }, random.chance(0.5) ? REQUESTS : FRAME) as Loose
    const factOf = (by: string) =>
      makeValue(maker, random.pick(FACT_SCHEMAS.filter((one) => one.by === by || random.chance(0.1))).schema)
    if (frame.type === 'admit') frame.fact = random.chance(0.4) ? makeValue(maker, MESSAGE) : factOf('door')
    if (frame.call?.op === 'append')
      frame.call.facts = Array.from({ length: 1 + random.below(3) }, () => factOf('runner'))
    if (frame.call?.op === 'create') {
      frame.call.start = makeValue(maker, schemaOf(factSchemas['session-start']))
      if (random.chance(0.7)) frame.call.id = `fuzz-${random.below(20)}`
      claimed.add(String(frame.call.id))
    }
    // Somewhere in it, whatever it is.
    if (random.chance(twist)) Object.assign(frame, makeValue(maker, FRAME))
    return JSON.stringify(frame)
  }

  return {
    async send(twist) {
      const own = await open()
      const frame = makeFrame(twist)
      recent.push(String(frame).slice(0, 300))
      if (recent.length > 20) recent.shift()
      own.send(frame)
      if (++counts.sent % 5 === 0) await settle()
    },
    settle,
    close: () => socket?.terminate(),
    get sent() {
      return counts.sent
    },
    received,
    get closed() {
      return counts.closed
    },
  }
}

interface Loose {
  type?: string
  fact?: unknown
  call?: { op?: string; id?: unknown; facts?: unknown; start?: unknown }
}

function makeRaw(random: Random): string | Buffer {
  return random.pick<() => string | Buffer>([
    () => '',
    () => '{',
    () => 'null',
    () => '[]',
    () => '['.repeat(100_000),
    () => JSON.stringify(makeHostile(random)) ?? '',
    () => '{"type":"ping","type":"follow","id":"\\ud800","after":0}',
    () => 'x'.repeat(3 * 1024 * 1024),
    () => Buffer.from([0xff, 0xfe, 0x00]),
    () => '{"type":"__proto__"}',
  ])()
}
