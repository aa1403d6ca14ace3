import type { ServerFrame } from '@maru/protocol'
import { collect, start, toolEnd, upTo } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from './client.ts'
import { openWorld, type World } from './world.ts'

let world: World
// It goes on where a test says so: whoever comes back does it in time, however busy the machine is.
let time = Date.now()
beforeAll(async () => {
  world = await openWorld({ timing: { graceMs: 400, goodbyeMs: 1_000 }, now: () => time })
})
afterAll(() => world.close())

const message = (key: string, text = 'hello') => ({
  ...{ type: 'message-add' as const, key, role: 'user' as const, parts: [{ type: 'text' as const, text }] },
})
const LONG = 'x'.repeat(800)
const interrupt = (key: string) => ({ type: 'interrupt' as const, key })

test('the first frame says who it is', async () => {
  const me = await world.person()
  const client = await Client.open(world, me)
  const { id, name } = me.key.person
  expect(client.frames[0]).toMatchObject({ type: 'hello', version: '0.0.0', user: { id, name } })
  client.close()
})

test('what is admitted is signed by the server, told to the agents, and once however often it is sent', async () => {
  const me = await world.person()
  await me.own.log.create('signed', start)
  const [api, terminal] = [await Client.open(world, me), await Client.open(world, me, { 'x-maru-door': 'terminal' })]
  const lie = { ...message('k1'), by: { kind: 'system', id: 'root' } }
  api.send({ type: 'admit', request: 'a', session: 'signed', fact: lie })
  const by = { kind: 'person', id: me.key.person.name, door: 'api' }
  expect(await api.answer('a')).toMatchObject({ type: 'admitted', record: { seq: 2, by } })
  terminal.send({ type: 'admit', request: 'b', session: 'signed', fact: message('k1') })
  expect(await terminal.answer('b')).toMatchObject({ record: { seq: 2, by } })
  terminal.send({ type: 'admit', request: 'c', session: 'signed', fact: interrupt('k2') })
  expect(await terminal.answer('c')).toMatchObject({ record: { seq: 3, by: { door: 'terminal' } } })
  terminal.send({ type: 'door', door: 'editor' })
  terminal.send({ type: 'admit', request: 'd', session: 'signed', fact: interrupt('k3') })
  expect(await terminal.answer('d')).toMatchObject({ record: { seq: 4, by: { door: 'editor' } } })
  expect(world.admitted).toContain('signed')
  api.send({ type: 'admit', request: 'e', session: 'signed', fact: { type: 'run-end' } as never })
  expect(await api.answer('e')).toMatchObject({ type: 'refused', problem: { code: 'rejected' } })
  // Long words leave the fact.
  api.send({ type: 'admit', request: 'f', session: 'signed', fact: message('k4', '가'.repeat(100_000)) })
  expect(await api.answer('f')).toMatchObject({ record: { parts: [{ blob: { bytes: 300_000 } }] } })
  for (const client of [api, terminal]) client.close()
})

test('an answer is taken only to what was asked, as it was asked, and an approval is written down', async () => {
  const me = await world.person()
  await me.own.log.create('asking', start)
  const lease = await me.own.log.lease('asking')
  const asks = { type: 'approval-ask' as const, callId: 'call 1', source: 'ours' as const, reason: 'it writes' }
  await me.own.log.append('asking', { epoch: lease.epoch, expect: lease.last }, [
    { ...asks, actionHash: 'seen', options: ['yes', 'no'] },
    { type: 'question-ask', questionId: 'question 1', question: 'Which?', options: ['tea', 'coffee'] },
  ])
  await lease.release()
  const client = await Client.open(world, me, { 'x-maru-door': 'terminal' })
  const approval = { type: 'approval-answer', key: 'a', callId: 'call 1', actionHash: 'seen', option: 'yes' }
  const question = { type: 'question-answer', key: 'q', questionId: 'question 1' }
  const refused = async (fact: object, code: string) => {
    client.send({ type: 'admit', request: 'bad', session: 'asking', fact: fact as never })
    expect(await client.answer('bad')).toMatchObject({ type: 'refused', problem: { code } })
    client.frames.length = 0
  }
  await refused({ ...approval, callId: 'call 2' }, 'not-found')
  await refused({ ...approval, actionHash: 'something else' }, 'conflict')
  await refused({ ...approval, option: 'maybe' }, 'bad-body')
  await refused({ ...question, answer: { kind: 'option', option: 'water' } }, 'bad-body')
  await refused({ ...question, questionId: 'another', answer: { kind: 'cancel' } }, 'not-found')
  client.send({ type: 'admit', request: 'yes', session: 'asking', fact: approval as never })
  expect(await client.answer('yes')).toMatchObject({ type: 'admitted', record: { option: 'yes' } })
  const tea = { ...question, answer: { kind: 'option', option: 'tea' } }
  client.send({ type: 'admit', request: 'tea', session: 'asking', fact: tea as never })
  expect(await client.answer('tea')).toMatchObject({ type: 'admitted' })
  const [noted] = await world.history.access.audit({ owner: me.key.person.id })
  expect(noted).toMatchObject({ action: 'approval-answered', door: 'terminal', detail: 'asking call 1 yes' })
  client.close()
})

test('a key opens what its scopes say, and nobody else’s sessions', async () => {
  const me = await world.person()
  const [reader, writer] = [
    await world.person(['read'], me.key.person.name),
    await world.person(['write'], me.key.person.name),
  ]
  const other = await world.person()
  await me.own.log.create('mine', start)
  const [reads, writes, others] = [
    await Client.open(world, reader),
    await Client.open(world, writer),
    await Client.open(world, other),
  ]
  reads.send({ type: 'follow', id: 'mine', after: 0 })
  await reads.first('open')
  reads.send({ type: 'admit', request: 'a', session: 'mine', fact: message('k') })
  reads.send({ type: 'call', request: 'b', call: { op: 'lease', id: 'mine' } })
  reads.send({ type: 'call', request: 'c', call: { op: 'erase', id: 'mine' } })
  for (const request of ['a', 'b', 'c']) {
    expect(await reads.answer(request)).toMatchObject({ problem: { code: 'forbidden', status: 403 } })
  }
  writes.send({ type: 'admit', request: 'a', session: 'mine', fact: message('k') })
  expect(await writes.answer('a')).toMatchObject({ type: 'admitted' })
  writes.send({ type: 'admit', request: 'b', session: 'mine', fact: interrupt('i') })
  writes.send({ type: 'call', request: 'c', call: { op: 'read', id: 'mine', after: 0 } })
  for (const request of ['b', 'c'])
    expect(await writes.answer(request)).toMatchObject({ problem: { code: 'forbidden' } })
  writes.send({ type: 'follow', id: 'mine', after: 0 })
  await writes.first('refused', ({ problem }) => problem.code === 'forbidden')
  others.send({ type: 'follow', id: 'mine', after: 0 })
  expect(await others.first('gone')).toMatchObject({ problem: { code: 'missing' } })
  others.send({ type: 'admit', request: 'a', session: 'mine', fact: message('other') })
  others.send({ type: 'call', request: 'b', call: { op: 'read', id: 'mine', after: 0 } })
  others.send({ type: 'call', request: 'c', call: { op: 'erase', id: 'mine' } })
  for (const request of ['a', 'b', 'c'])
    expect(await others.answer(request)).toMatchObject({ problem: { code: 'missing' } })
  expect((await collect(me.own.log.read('mine'))).length).toBe(2)
  for (const client of [reads, writes, others]) client.close()
})

test('a revoked key ends its sockets at once, and only its own', async () => {
  const me = await world.person()
  const spare = await world.person(['read'], me.key.person.name)
  const [gone, stays] = [await Client.open(world, me), await Client.open(world, spare)]
  world.inside.endKey(me.key.id)
  expect(await gone.ended()).toBe(4001)
  expect(gone.frames.at(-1)).toEqual({ type: 'bye', reason: 'revoked' })
  stays.send({ type: 'ping' })
  await stays.first('pong')
  stays.close()
})

test('too many messages in a minute are refused, with the time to wait', async () => {
  const strict = await openWorld({ limits: { messagesPerMinute: 3, socketsEach: 2 } })
  const me = await strict.person()
  await me.own.log.create('s', start)
  const client = await Client.open(strict, me)
  for (const n of upTo(5)) client.send({ type: 'admit', request: `r${n}`, session: 's', fact: message(`k${n}`) })
  const answers = await Promise.all(upTo(5).map((n) => client.answer(`r${n}`)))
  const refused = answers.filter(({ type }) => type === 'refused')
  expect(refused.length).toBe(2)
  expect(refused[0]).toMatchObject({ problem: { code: 'too-many', status: 429 } })
  const second = await Client.open(strict, me)
  const third = new Client(strict.url, me.secret)
  expect(await third.ended()).toBe(4029)
  expect(third.frames).toEqual([{ type: 'bye', reason: 'too-many' }])
  expect(strict.sockets.size).toBe(2)
  // A goodbye to everybody.
  const closing = strict.close()
  expect(await Promise.all([client.ended(), second.ended()])).toEqual([1001, 1001])
  expect(second.frames.at(-1)).toEqual({ type: 'bye', reason: 'shutdown' })
  await closing
})

test('a runner elsewhere works under this log: it appends, tells live events, and goes on after a cut', async () => {
  const me = await world.person()
  const [runner, viewer] = [await Client.open(world, me, { 'x-maru-door': 'terminal' }), await Client.open(world, me)]
  runner.send({ type: 'call', request: '1', call: { op: 'create', id: 'r', start } })
  runner.send({ type: 'call', request: '2', call: { op: 'lease', id: 'r' } })
  const lease = resultOf(await runner.answer('2')) as { epoch: number; last: number }
  viewer.send({ type: 'follow', id: 'r', after: 0 })
  await viewer.first('open')
  viewer.send({
    type: 'publish',
    id: 'r',
    live: { type: 'text-delta', turnId: 't', part: 0, offset: 0, text: 'not mine' },
  })
  expect(await viewer.first('refused')).toMatchObject({ problem: { code: 'conflict' } })
  const holder = { epoch: lease.epoch, expect: lease.last }
  runner.send({
    ...{ type: 'call', request: '3' },
    call: { op: 'append', id: 'r', holder, facts: [{ type: 'turn-start', turnId: 't', runId: 'x' }] },
  })
  const [turn] = resultOf(await runner.answer('3')) as { seq: number }[]
  const tell = (client: Client, offset: number, text: string) =>
    client.send({ type: 'publish', id: 'r', live: { type: 'text-delta', turnId: 't', part: 0, offset, text } })
  tell(runner, 0, 'one ')
  await viewer.until(() => viewer.shown('r')['t'] === 'one ')
  runner.socket.terminate()
  await runner.ended()
  // It comes back with what it holds.
  const again = await Client.open(world, me)
  again.send({ type: 'call', request: '4', call: { op: 'renew', id: 'r', epoch: lease.epoch } })
  tell(again, 4, 'two')
  await viewer.until(() => viewer.shown('r')['t'] === 'one two')
  const expectation = { epoch: lease.epoch, expect: turn?.seq ?? 0 }
  const end = {
    type: 'turn-end' as const,
    turnId: 't',
    parts: [{ type: 'text' as const, text: 'one two' }],
    stop: 'end' as const,
  }
  again.send({ type: 'call', request: '5', call: { op: 'append', id: 'r', holder: expectation, facts: [end] } })
  await again.answer('5')
  await viewer.until(() => viewer.facts('r').some(({ type }) => type === 'turn-end'))
  // One that does not come back lets go of it, so that another can take it.
  again.socket.terminate()
  await again.ended()
  let epoch = 0
  for (let tries = 0; epoch === 0; tries++) {
    viewer.send({ type: 'call', request: `take ${tries}`, call: { op: 'lease', id: 'r' } })
    const answer = await viewer.answer(`take ${tries}`)
    if (answer.type === 'result') epoch = (answer.value as { epoch: number }).epoch
    else expect(answer).toMatchObject({ problem: { code: 'held' } })
    time += 50
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(epoch).toBeGreaterThan(lease.epoch)
  const late = await Client.open(world, me)
  late.send({ type: 'call', request: '6', call: { op: 'append', id: 'r', holder: expectation, facts: [end] } })
  expect(await late.answer('6')).toMatchObject({ type: 'refused', problem: { code: 'conflict' } })
  for (const client of [viewer, late]) client.close()
})

test('a lease whose answer was lost is had again by its key, and by no other', async () => {
  const me = await world.person()
  await me.own.log.create('k', start)
  const lost = await Client.open(world, me)
  lost.send({ type: 'call', request: '1', call: { op: 'lease', id: 'k', key: 'mine' } })
  const lease = resultOf(await lost.answer('1')) as { epoch: number; last: number }
  // The old socket may still be there, or be gone.
  const second = await Client.open(world, me)
  second.send({ type: 'call', request: '2', call: { op: 'lease', id: 'k', key: 'mine' } })
  expect(resultOf(await second.answer('2'))).toEqual(lease)
  lost.socket.terminate()
  second.socket.terminate()
  await Promise.all([lost.ended(), second.ended()])
  const third = await Client.open(world, me)
  for (const key of ['another', undefined]) {
    const request = `not ${key}`
    third.send({ type: 'call', request, call: { op: 'lease', id: 'k', ...(key !== undefined && { key }) } })
    expect(await third.answer(request)).toMatchObject({ type: 'refused', problem: { code: 'held' } })
  }
  third.send({ type: 'call', request: '3', call: { op: 'lease', id: 'k', key: 'mine' } })
  expect(resultOf(await third.answer('3'))).toEqual(lease)
  const facts = [{ type: 'turn-start' as const, turnId: 't', runId: 'x' }]
  const holder = { epoch: lease.epoch, expect: lease.last }
  third.send({ type: 'call', request: '4', call: { op: 'append', id: 'k', holder, facts } })
  resultOf(await third.answer('4'))
  // Once it was released, the key is one like any other.
  third.send({ type: 'call', request: '5', call: { op: 'release', id: 'k', epoch: lease.epoch } })
  third.send({ type: 'call', request: '6', call: { op: 'lease', id: 'k', key: 'mine' } })
  expect((resultOf(await third.answer('6')) as { epoch: number }).epoch).toBeGreaterThan(lease.epoch)
  third.close()
})

test('long logs and long lists are read in pages, each once', async () => {
  const me = await world.person()
  await me.own.begin(upTo(110).map((n) => ({ id: `p${n}`, start: { start, at: n }, facts: [] })))
  await me.own.add('p1', { facts: upTo(700).map((n) => ({ fact: toolEnd(`c${n}`, LONG), at: n })) })
  const client = await Client.open(world, me)
  const seqs: number[] = []
  for (let n = 0; ; n++) {
    client.send({ type: 'call', request: `r${n}`, call: { op: 'read', id: 'p1', after: seqs.at(-1) ?? 0 } })
    const page = resultOf(await client.answer(`r${n}`)) as { seq: number }[]
    if (page.length === 0) break
    seqs.push(...page.map(({ seq }) => seq))
  }
  expect(seqs).toEqual(upTo(701))
  const ids: string[] = []
  for (let n = 0; ; n++) {
    const after = ids.at(-1)
    client.send({ type: 'call', request: `l${n}`, call: { op: 'list', ...(after !== undefined && { after }) } })
    const page = resultOf(await client.answer(`l${n}`)) as { id: string }[]
    if (page.length === 0) break
    ids.push(...page.map(({ id }) => id))
  }
  expect(ids.sort()).toEqual(
    upTo(110)
      .map((n) => `p${n}`)
      .sort(),
  )
  client.close()
})

function resultOf(frame: ServerFrame): unknown {
  if (frame.type !== 'result') throw new Error(`refused: ${JSON.stringify(frame)}`)
  return frame.value
}
