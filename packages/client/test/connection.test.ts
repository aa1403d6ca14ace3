import type { ClientFrame, Problem } from '@maru/protocol'
import { collect, input, start, take, toolStart, upTo } from '@maru/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import {
  type Connection,
  type ConnectionState,
  connect,
  createOutbox,
  createRemoteLive,
  createRemoteLog,
  createView,
  type Intent,
  type Unsent,
} from '../src/index.ts'
import { tellStory } from './story.ts'
import { type Room, startWireServer, type WireServer } from './wire-server.ts'
import { createRoom, QUICK, quickly, until } from './world.ts'

let room: Room
let rooms: Map<string, Room>
let server: WireServer
let refuse: (frame: ClientFrame) => Problem | undefined
const connections: Connection[] = []
beforeEach(async () => {
  room = createRoom()
  rooms = new Map([['me', room]])
  refuse = () => undefined
  server = await startWireServer({ rooms, refuse: (frame) => refuse(frame) })
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close()
  await server.close()
})

function open(more: Parameters<typeof quickly>[2] = {}): Connection {
  const connection = quickly(server.url, 'me', more)
  connections.push(connection)
  return connection
}

async function startAgain(): Promise<void> {
  const port = Number(new URL(server.url).port)
  server = await startWireServer({ rooms, port, refuse: (frame) => refuse(frame) })
}

const say = (text: string): Intent => ({ type: 'input-admit', delivery: 'queue', parts: [{ type: 'text', text }] })

describe('a connection', () => {
  test('says what it is doing, and ends when it is told to', async () => {
    const states: ConnectionState[] = []
    const connection = open({ onState: (state) => states.push(state) })
    await until(() => connection.state === 'open', 'open')
    expect(connection.hello?.user).toEqual({ id: 'me', name: 'me' })
    await server.close()
    await until(() => states.includes('waiting'), 'waiting')
    await startAgain()
    await until(() => connection.opened === 2, 'open again')
    connection.close()
    connection.close()
    expect(states.at(-1)).toBe('closed')
    expect(states.filter((state) => state === 'open')).toHaveLength(2)
    await expect(connection.ask({ type: 'call', call: { op: 'list' } })).rejects.toMatchObject({ code: 'closed' })
  })

  test('does not knock again where it is not let in, until somebody says so', async () => {
    const states: ConnectionState[] = []
    const connection = connect({
      url: server.url,
      token: 'stranger',
      WebSocket,
      timing: QUICK,
      onState: (state) => states.push(state),
    })
    connections.push(connection)
    const asked = connection.ask({ type: 'call', call: { op: 'list' } })
    await expect(asked).rejects.toMatchObject({ status: 401 })
    expect(states).toEqual(['connecting', 'refused'])
    rooms.set('stranger', createRoom())
    connection.retry()
    await until(() => connection.state === 'open', 'open')
  })

  test('finds out by itself that nobody is there any more', async () => {
    // It shakes hands and never says another word.
    const mute = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    let handshakes = 0
    mute.on('connection', (socket) => {
      handshakes++
      socket.send(JSON.stringify({ type: 'hello', version: '0', user: { id: 'a', name: 'a' }, now: 0 }))
    })
    await new Promise((resolve) => mute.once('listening', resolve))
    const { port } = mute.address() as { port: number }
    const connection = connect({
      url: `http://127.0.0.1:${port}`,
      WebSocket,
      timing: { ...QUICK, quietMs: 10, answerMs: 10 },
    })
    try {
      await until(() => handshakes >= 3, 'it came again')
    } finally {
      connection.close()
      for (const client of mute.clients) client.terminate()
      await new Promise((resolve) => mute.close(resolve))
    }
  })

  test('holds a quiet server for alive as long as it answers', async () => {
    const connection = open({ timing: { ...QUICK, quietMs: 5, answerMs: 60_000 } })
    let pongs = 0
    await until(() => connection.state === 'open', 'open')
    refuse = (frame) => {
      if (frame.type === 'ping') pongs++
      return undefined
    }
    await until(() => pongs >= 3, 'asked three times')
    expect(connection.opened).toBe(1)
  })

  test('a watch goes on where it was, and says so where it cannot', async () => {
    const stop = new AbortController()
    const connection = open()
    const changes = connection.watch(undefined, stop.signal)
    await until(() => connection.state === 'open', 'open')
    await createRemoteLog(connection).create('one', start)
    const seen = changes[Symbol.asyncIterator]()
    expect((await seen.next()).value).toMatchObject({ id: 'one', seq: 1 })
    await server.close()
    await room.log.admit('one', input('while it was away'))
    await startAgain()
    expect((await seen.next()).value).toMatchObject({ id: 'one', seq: 2 })
    stop.abort()
    expect((await seen.next()).done).toBe(true)
    // From now on, and cut before anything came: what happened in between is not known.
    const [first] = await Promise.all([
      take(connection.watch(undefined, new AbortController().signal), 1),
      server.close().then(startAgain),
    ])
    expect(first).toMatchObject([{ reset: true }])
  })

  test('a reader that takes its time gets everything, and no more waits than has room', async () => {
    await room.log.create('s', start)
    const { epoch, last } = await room.log.lease('s')
    await room.log.append(
      's',
      { epoch, expect: last },
      upTo(2_500).map((n) => toolStart(`c${n}`)),
    )
    const seqs: number[] = []
    for await (const { seq } of open().follow('s', 0, new AbortController().signal)) {
      seqs.push(seq)
      if (seq % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 30))
      if (seq === 2_501) break
    }
    expect(seqs).toEqual(upTo(2_501))
  })
})

describe('a server that is started anew', () => {
  test('is not noticed by who works under its log, watches and talks', async () => {
    const restarts = (async () => {
      for (const how of ['kill', 'close', 'kill'] as const) {
        await new Promise((resolve) => setTimeout(resolve, 40))
        await server[how]()
        await startAgain()
      }
    })()
    await tellStory({ url: server.url, token: 'me', room, turns: 5 })
    await restarts
  })

  test('a runner that another has replaced meanwhile is told so', async () => {
    const log = createRemoteLog(open())
    await log.create('s', start)
    const { epoch, last } = await log.lease('s')
    await server.close()
    const other = await room.log.lease('s')
    await room.log.append('s', { epoch: other.epoch, expect: other.last }, [toolStart('theirs')])
    await other.release()
    await startAgain()
    await expect(log.append('s', { epoch, expect: last }, [toolStart('ours')])).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await collect(room.log.read('s'))).toHaveLength(2)
  })

  test('what is being said while nobody could hear it is told from the beginning', async () => {
    const connection = open()
    const log = createRemoteLog(connection)
    const live = createRemoteLive(connection)
    await log.create('s', start)
    const lease = await log.lease('s')
    live.publish('s', { type: 'text-delta', turnId: 't', part: 0, offset: 0, text: 'one ' })
    live.publish('s', { type: 'tool-progress', callId: 'c', offset: 0, text: 'out' })
    await server.kill()
    // A server that comes back knows nothing of what was under way.
    rooms.set('me', { ...room, live: createRoom().live })
    live.publish('s', { type: 'text-delta', turnId: 't', part: 0, offset: 4, text: 'two ' })
    await startAgain()
    const view = createView()
    open().listen('s', 0, view)
    await until(() => view.read().turns[0]?.parts[0] === 'one two ', 'both')
    live.publish('s', { type: 'text-delta', turnId: 't', part: 0, offset: 8, text: 'three' })
    await until(() => view.read().turns[0]?.parts[0] === 'one two three', 'all three')
    expect(view.read().outputs).toEqual([{ callId: 'c', offset: 0, text: 'out' }])
    live.close()
    await lease.release()
  })
})

describe('an outbox', () => {
  test('keeps what is said while the server is away, in order, also across a page that is loaded anew', async () => {
    await room.log.create('s', start)
    let stored: Unsent[] = []
    const store = {
      load: () => stored,
      save: (unsent: Unsent[]) => {
        stored = structuredClone(unsent)
      },
    }
    await server.close()
    const before = open()
    const outbox = createOutbox(before, { store })
    const lost = Promise.allSettled([outbox.admit('s', say('one')), outbox.admit('s', say('two'))])
    await until(() => stored.length === 2, 'stored')
    expect(outbox.unsent.map(({ session }) => session)).toEqual(['s', 's'])
    outbox.close()
    before.close()
    await lost
    await startAgain()
    const again = createOutbox(open(), { store })
    const record = await again.admit('s', say('three'))
    expect(record).toMatchObject({ seq: 4, by: { id: 'me' } })
    expect((await collect(room.log.read('s', 1))).map((fact) => 'parts' in fact && fact.parts)).toEqual(
      ['one', 'two', 'three'].map((text) => [{ type: 'text', text }]),
    )
    await until(() => stored.length === 0, 'nothing is left')
  })

  test('what is refused for good is given back, and what is behind it goes on', async () => {
    await room.log.create('s', start)
    const outbox = createOutbox(open())
    const wrong = outbox.admit('s', { type: 'title-set' } as never)
    const right = outbox.admit('s', say('fine'))
    await expect(wrong).rejects.toMatchObject({ code: 'rejected' })
    expect(await right).toMatchObject({ seq: 2 })
    await expect(outbox.admit('none', say('nobody'))).rejects.toMatchObject({ code: 'missing' })
  })

  test('waits as long as the server asks it to', async () => {
    await room.log.create('s', start)
    let refusals = 0
    refuse = (frame) =>
      frame.type === 'admit' && refusals++ < 2
        ? { code: 'too-many', status: 429, title: 'Slower', retryAfter: 0.02 }
        : undefined
    const outbox = createOutbox(open())
    const [one, two] = await Promise.all([outbox.admit('s', say('one')), outbox.admit('s', say('two'))])
    expect([one.seq, two.seq]).toEqual([2, 3])
    expect(refusals).toBe(4)
  })

  test('takes no more than its limit, and tells what waits', async () => {
    await server.close()
    const told: number[] = []
    const outbox = createOutbox(open(), { limit: 2, onChange: (unsent) => told.push(unsent.length) })
    const waiting = Promise.allSettled([outbox.admit('s', say('one')), outbox.admit('t', say('two'))])
    await expect(outbox.admit('s', say('three'))).rejects.toMatchObject({ code: 'outbox-full' })
    expect(told).toEqual([1, 2])
    outbox.close()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await startAgain()
  })
})
