import { once } from 'node:events'
import { MAX_FRAME_BYTES } from '@maru/protocol'
import { collect, start, upTo } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Client } from './client.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const admit = (fact: unknown, session: unknown = 's') => JSON.stringify({ type: 'admit', request: 'x', session, fact })
const call = (value: unknown) => JSON.stringify({ type: 'call', request: 'x', call: value })
const says = (text: string, key = 'k') => ({ type: 'message-add', key, role: 'user', parts: [{ type: 'text', text }] })

const NONSENSE: [name: string, frame: string | Buffer][] = [
  ['nothing', ''],
  ['half an object', '{"type":"follow"'],
  ['no object', '[1,2,3]'],
  ['null', 'null'],
  ['an unknown type', '{"type":"drop table"}'],
  ['a type from the prototype', '{"type":"constructor"}'],
  ['wrong fields', '{"type":"follow","id":7,"after":-1}'],
  ['a number that is none', '{"type":"follow","id":"s","after":1e999}'],
  ['an empty name', '{"type":"follow","id":"","after":0}'],
  ['a long name', JSON.stringify({ type: 'follow', id: 'x'.repeat(129), after: 0 })],
  ['U+0000 in a name', JSON.stringify({ type: 'follow', id: 'a\0b', after: 0 })],
  ['half a pair in a name', '{"type":"follow","id":"\\ud800","after":0}'],
  ['a deep value', `{"type":"admit","request":"x","session":"s","fact":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['bytes', Buffer.from([0, 1, 2, 255])],
  ['no fact', admit(null)],
  ['a list as a fact', admit([])],
  ['a fact of the runner', admit({ type: 'run-end', runId: 'r', reason: 'done' })],
  ['a fact of nobody', admit({ type: '__proto__' })],
  ['a fact with a wrong part', admit({ ...says('a'), parts: [{ type: 'text' }] })],
  ['a key with U+0000', admit(says('a', 'k\0'))],
  ['a key with half a pair', admit(says('a', 'k\ud800'))],
  ['a session that is none', admit(says('a'), 'no such session')],
  ['a name with U+0000 to say something in', admit(says('a'), 'a\0')],
  ['more than a record takes', admit({ ...says('a'), metadata: 'x'.repeat(1_500_000) })],
  ['a call that is none', call({ op: 'sudo' })],
  ['a start that is none', call({ op: 'create', id: 'new', start: null })],
  ['a start with wrong fields', call({ op: 'create', id: 'new', start: { agent: { kind: 'god' } } })],
  ['a session that exists', call({ op: 'create', id: 's', start })],
  ['a lease of nothing', call({ op: 'lease', id: 'nothing' })],
  ['somebody’s lease', call({ op: 'append', id: 's', holder: { epoch: 1, expect: 1 }, facts: [] })],
  ['facts that are none', call({ op: 'append', id: 's', holder: { epoch: 1, expect: 1 }, facts: [null, 7, 'x'] })],
  ['an epoch beyond numbers', call({ op: 'renew', id: 's', epoch: Number.MAX_SAFE_INTEGER })],
  ['a place beyond all', call({ op: 'read', id: 's', after: Number.MAX_SAFE_INTEGER })],
  ['an erasure beyond all', call({ op: 'erase', id: 's', seq: Number.MAX_SAFE_INTEGER })],
  [
    'live text without a lease',
    '{"type":"publish","id":"s","live":{"type":"presence","by":{"kind":"person","id":"x"},"state":"here"}}',
  ],
  ['settling without a lease', '{"type":"settle","id":"s"}'],
]

test('nonsense is refused with a reason, and the connection goes on', async () => {
  const me = await world.person()
  await me.own.log.create('s', start)
  const client = await Client.open(world, me)
  for (const [name, frame] of NONSENSE) {
    client.frames.length = 0
    client.raw(frame)
    const answer = await client.until(() => client.frames[0], name)
    const status = 'problem' in answer ? answer.problem?.status : 'taken'
    expect([name, status], JSON.stringify(answer)).toEqual([name, expect.toSatisfy(isRefusalOrHarmless)])
    client.frames.length = 0
    client.send({ type: 'ping' })
    await client.first('pong')
  }
  expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
  client.close()
})

// What a database takes as it is may also be taken: then it comes back as it was said.
function isRefusalOrHarmless(status: unknown): boolean {
  return status === 'taken' || (typeof status === 'number' && status >= 400 && status < 500)
}

test('any text comes back as it was said: U+0000, halves of pairs, all of Unicode', async () => {
  const me = await world.person()
  await me.own.log.create('s', start)
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id: 's', after: 0 })
  const texts = ['a\0b', 'half \ud83d', '\udc00 half', '👨‍👩‍👧 서버 \u2028\u2029', '\u202e', '{"type":"bye"}']
  for (const [n, text] of texts.entries()) {
    client.raw(JSON.stringify({ type: 'admit', request: `r${n}`, session: 's', fact: says(text, `k${n}`) }))
    const answer = await client.answer(`r${n}`)
    if (answer.type === 'admitted') expect(answer.record).toMatchObject({ parts: [{ text }] })
    else expect([text, answer]).toMatchObject([text, { problem: { status: 422 } }])
  }
  const stored = await collect(me.own.log.read('s'))
  await client.until(() => client.seqs('s').length === stored.length)
  expect(client.facts('s')).toEqual(stored)
  client.close()
})

test('a frame that is too long ends its socket alone', async () => {
  const me = await world.person()
  const [client, other] = [await Client.open(world, me), await Client.open(world, me)]
  client.raw('x'.repeat(MAX_FRAME_BYTES + 1))
  expect(await client.ended()).toBe(1009)
  other.send({ type: 'ping' })
  await other.first('pong')
  other.close()
})

test('hundreds of follows and a flood of requests are bounded, and the next client is served', async () => {
  const me = await world.person()
  const ids = ['s', ...upTo(260).map((n) => `s${n}`)]
  await me.own.begin(ids.map((id) => ({ id, start: { start, at: 0 }, facts: [] })))
  const client = await Client.open(world, me)
  // Of sessions that are there none is over by itself, however quick the server is.
  for (const id of ids) client.send({ type: 'follow', id, after: 0 })
  await client.first('gone', ({ problem }) => problem?.code === 'too-many')
  for (const n of upTo(120)) client.send({ type: 'call', request: `r${n}`, call: { op: 'read', id: 's', after: 0 } })
  const other = await Client.open(world, me)
  other.send({ type: 'ping' })
  await other.first('pong')
  await client.answer('r120')
  expect(client.frames.filter((frame) => frame.type === 'result').length).toBe(120)
  client.close()
  other.close()
})

test('a runner elsewhere cannot fill the memory with what is under way', async () => {
  const me = await world.person()
  const client = await Client.open(world, me)
  client.send({ type: 'call', request: 'c', call: { op: 'create', id: 'r', start } })
  client.send({ type: 'call', request: 'l', call: { op: 'lease', id: 'r' } })
  await client.answer('l')
  const refusals = () => client.frames.filter(({ type }) => type === 'refused').length
  const tell = (live: object) => client.raw(JSON.stringify({ type: 'publish', id: 'r', live }))
  tell({ type: 'text-delta', turnId: 't', part: 2 ** 40, offset: 0, text: 'x' })
  tell({ type: 'tool-progress', callId: 'constructor', offset: 0, text: 'x' })
  tell({ type: 'session-state', state: 'busy', detail: 'x'.repeat(100_000) })
  await client.until(() => refusals() === 3)
  for (const n of upTo(40)) {
    tell({ type: 'text-delta', turnId: 't', part: 0, offset: (n - 1) * 250_000, text: 'x'.repeat(250_000) })
  }
  await client.until(() => refusals() > 3)
  for (const n of upTo(300)) tell({ type: 'tool-progress', callId: `c${n}`, offset: 0, text: 'x' })
  client.send({ type: 'ping' })
  await client.first('pong')
  const { open, close } = me.live.subscribe('r', () => undefined)
  close()
  expect(open.parts.join('').length).toBeLessThanOrEqual(8 * 1024 * 1024)
  expect(Object.keys(open.progress).length).toBe(256)
  client.close()
})

test('who does not answer whether it is there is not kept', async () => {
  // Its time goes on when who is alive has answered: a busy machine may take longer for that than any beat.
  let time = Date.now()
  const quick = await openWorld({ timing: { heartbeatMs: 200 }, now: () => time })
  const me = await quick.person()
  const alive = await Client.open(quick, me)
  const dead = new WebSocket(quick.url, { headers: { authorization: `Bearer ${me.secret}` }, autoPong: false })
  const ended = once(dead, 'close')
  await once(dead, 'open')
  for (const _ of upTo(2)) {
    const asked = once(alive.socket, 'ping')
    time += 200
    await asked
    alive.frames.length = 0
    alive.send({ type: 'ping' })
    await alive.first('pong')
  }
  await ended
  expect(quick.sockets.size).toBe(1)
  await quick.close()
})
