import { WebSocket } from 'ws'
import { answerParent } from './answer-parent.ts'
import { micros } from './measure.ts'

/** Somebody with several clients, all of which follow the same sessions. */
export interface Audience {
  token: string
  sessions: string[]
  clients: number
  /** Up to where the sessions are known. */
  after: number
}

/** A message that reached a client: which one, when it was sent, when it came; microseconds. */
export type Delivery = [session: string, seq: number, sent: number, received: number]

const AT_ONCE = 50
const WAIT_MS = 30_000

interface Listener {
  socket: WebSocket
  /** How many messages of each session have come, and the last fact of it. */
  heard: Map<string, { count: number; last: number }>
}

const listeners: Listener[] = []
let deliveries: Delivery[] = []
let disorder: string | undefined

const answers = {
  /** Opens sockets beside those that are open, and waits until all of them listen. */
  async open({ url, audiences }: { url: string; audiences: Audience[] }): Promise<number> {
    const wanted = audiences.flatMap((audience) => Array.from({ length: audience.clients }, () => audience))
    const next = wanted.values()
    const work = async () => {
      for (const audience of next) listeners.push(await listen(`${url.replace('http', 'ws')}/ws`, audience))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return listeners.length
  },
  /** Waits until every client has heard so many messages of each session that it follows; gives back what came since. */
  async collect(expected: { [session: string]: number }): Promise<Delivery[]> {
    const end = Date.now() + WAIT_MS
    while (!listeners.every(({ heard }) => hasAll(heard, expected))) {
      if (disorder === undefined && Date.now() > end) disorder = 'messages did not reach every client'
      if (disorder !== undefined) throw new Error(disorder)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (disorder !== undefined) throw new Error(disorder)
    const some = deliveries
    deliveries = []
    return some
  },
}
export type ListenerAnswers = typeof answers

answerParent(answers)

function hasAll(heard: Listener['heard'], expected: { [session: string]: number }): boolean {
  for (const [session, { count }] of heard) {
    const wanted = expected[session] ?? 0
    if (count > wanted) disorder ??= `a client heard ${count} messages of ${session}, where ${wanted} were sent`
    if (count !== wanted) return false
  }
  return true
}

function listen(url: string, { token, sessions, after }: Audience): Promise<Listener> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false })
  const heard: Listener['heard'] = new Map(sessions.map((session) => [session, { count: 0, last: after }]))
  return new Promise((resolve, reject) => {
    let opened = 0
    const settle = () => opened === sessions.length && resolve({ socket, heard })
    socket.on('message', (data: Buffer) => {
      const received = micros()
      const frame = JSON.parse(data.toString()) as Frame
      if (frame.type === 'facts') hear(heard, frame, received)
      else if (frame.type === 'hello') {
        for (const id of sessions) socket.send(JSON.stringify({ type: 'follow', id, after }))
        settle()
      } else if (frame.type === 'open') {
        opened++
        settle()
      } else disorder ??= `a client was told ${data.toString().slice(0, 200)}`
    })
    socket.on('error', reject)
    socket.on('close', (code) => {
      disorder ??= `the server closed a socket (${code})`
    })
  })
}

interface Frame {
  type: string
  id: string
  facts: { type: string; seq: number; parts: { text: string }[] }[]
}

// Each message says which one of its session it is, and when it was sent: `17 123456 …`.
function hear(heard: Listener['heard'], { id, facts }: Frame, received: number): void {
  const so = heard.get(id)
  for (const { seq, parts } of facts) {
    const [count, sent] = (parts[0]?.text ?? '').split(' ', 2).map(Number)
    if (!so || seq !== so.last + 1 || count !== so.count + 1) {
      disorder ??= `fact ${seq} of ${id}, message ${count}, came behind fact ${so?.last}, message ${so?.count}`
      return
    }
    so.last = seq
    so.count = count
    deliveries.push([id, seq, sent ?? Number.NaN, received])
  }
}
