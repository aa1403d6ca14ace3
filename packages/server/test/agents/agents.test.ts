import { mkdir, mkdtemp, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactOf, ModelEvent, Recorded } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'
import { collect, temporaryDirectory, upTo } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentsOptions, createAgents, type LocalAgents } from '../../src/agents/index.ts'
import { Client } from '../socket/client.ts'
import { openWorld, type WorldOptions } from '../socket/world.ts'
import { call, createTestWorkshop, type Reply, say, type TestWorkshop, tool } from './workshop.ts'

let root: string
let dispose: () => Promise<void>
beforeAll(async () => {
  const directory = await temporaryDirectory()
  root = await realpath(directory.path)
  dispose = directory.dispose
})
afterAll(() => dispose())

const openWorlds: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of openWorlds) await close()
})

async function serve(workshop: TestWorkshop, options: WorldOptions & AgentsOptions = {}) {
  let agents: LocalAgents | undefined
  // Of its own: a server takes up what was left open in its folders.
  const repo = options.roots?.[0] ?? (await mkdtemp(join(root, 'repo-')))
  const world = await openWorld({
    workshop,
    roots: [repo],
    createAgents: (inside) => {
      agents = createAgents(inside, options)
      return agents
    },
    ...options,
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= world.close()
    return closed
  }
  openWorlds.push(close)
  return { ...world, repo, agents: agents as LocalAgents, close }
}

test('a session begun with an input runs here, and says so to whoever follows', async () => {
  const workshop = createTestWorkshop({ script: () => [say('hello')] })
  const world = await serve(workshop)
  const me = await world.person()
  const session = await world.agents.start(me.key, { repo: world.repo, input: 'hi', model: 'm1', mode: 'ask' })
  expect(session).toMatchObject({ repo: world.repo, state: 'running', approvals: [], questions: [] })
  const facts = await untilFact(me.own, session.id, 'run-end')
  expect(facts.map(({ type }) => type)).toEqual([
    ...['session-start', 'settings-change', 'input-admit', 'run-start', 'prompt-set', 'turn-start', 'turn-end'],
    'run-end',
  ])
  expect(facts[0]).toMatchObject({ agent: { kind: 'maru' }, door: 'api', cwd: world.repo })
  expect(workshop.opened[0]).toMatchObject({ root: world.repo, model: 'm1', mode: 'ask' })
  expect(await stateOf(world, me, session.id)).toMatchObject({ state: 'idle' })
  // The agent is still there for the next input, which any door may give.
  workshop.replies.set(session.id, [say('again')])
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id: session.id, after: 0 })
  client.send({ type: 'admit', request: 'q', session: session.id, fact: inputFact('k1', 'more') })
  await client.until(() => client.facts(session.id).filter(({ type }) => type === 'run-end').length === 2)
  expect(workshop.opened.length).toBe(1)
  client.close()
})

test('agents work in configured folders only, whatever the path is made of', async () => {
  const workshop = createTestWorkshop()
  const world = await serve(workshop)
  const me = await world.person()
  const { repo: root } = world
  const outside = await temporaryDirectory()
  await mkdir(join(root, 'inside'), { recursive: true })
  await symlink(outside.path, join(root, 'way-out'))
  const refused = [
    '/',
    outside.path,
    join(root, 'way-out'),
    `${root}/../`,
    `${root}x`,
    'inside',
    join(root, 'nothing'),
    `${root}\0`,
  ]
  for (const repo of refused) {
    await expect(world.agents.start(me.key, { repo })).rejects.toMatchObject({ problem: { code: 'root-refused' } })
  }
  expect(await world.agents.start(me.key, { repo: `${root}/way-out/../inside/` }).catch(() => 'refused')).toBe(
    'refused',
  )
  expect(await world.agents.start(me.key, { repo: `${root}/inside/` })).toMatchObject({ repo: join(root, 'inside') })
  const closedWorld = await serve(createTestWorkshop(), { roots: [] })
  await expect(closedWorld.agents.start((await closedWorld.person()).key, { repo: root })).rejects.toThrow()
  await outside.dispose()
})

test('an approval is answered at any door, the first answer stands, and every door sees whose it was', async () => {
  let runs = 0
  const workshop = createTestWorkshop({
    tools: [tool('Change', () => ({ ok: true, data: `${++runs}` }))],
    verdict: 'ask',
    script: () => [call('Change'), say('done')],
  })
  const world = await serve(workshop)
  const me = await world.person()
  const { id } = await world.agents.start(me.key, { repo: world.repo, input: 'change it' })
  const [terminal, web] = [await Client.open(world, me, { 'x-maru-door': 'terminal' }), await Client.open(world, me)]
  for (const client of [terminal, web]) client.send({ type: 'follow', id, after: 0 })
  const ask = await terminal.until(() => find(terminal.facts(id), 'approval-ask'))
  const listed = await stateOf(world, me, id)
  expect(listed).toMatchObject({ state: 'waiting', approvals: [ask.callId] })
  const answer = (key: string, option: string) => ({
    ...{ type: 'approval-answer' as const, key, callId: ask.callId, actionHash: ask.actionHash, option },
  })
  terminal.send({ type: 'admit', request: 'a', session: id, fact: answer('k1', 'allow') })
  await terminal.answer('a')
  web.send({ type: 'admit', request: 'b', session: id, fact: answer('k2', 'deny') })
  expect(await web.answer('b')).toMatchObject({ record: { option: 'allow', by: { door: 'terminal' } } })
  for (const client of [terminal, web]) {
    await client.until(() => find(client.facts(id), 'run-end'))
    expect(client.facts(id).filter(({ type }) => type === 'approval-answer')).toMatchObject([
      { option: 'allow', by: { id: me.key.person.name, door: 'terminal' } },
    ])
    client.close()
  }
  expect(runs).toBe(1)
})

test('a run is steered and interrupted by what any door admits', async () => {
  const started = signal()
  const waiting: Reply = async function* (_request, signal) {
    yield { type: 'text-delta', part: 0, text: 'I am' } satisfies ModelEvent
    started.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield { type: 'failure', failure: { code: 'aborted', message: 'stopped' }, parts: [{ type: 'text', text: 'I am' }] }
  }
  const workshop = createTestWorkshop({ script: () => [waiting] })
  const world = await serve(workshop)
  const me = await world.person()
  const { id } = await world.agents.start(me.key, { repo: world.repo, input: 'go' })
  await started.promise
  expect(await stateOf(world, me, id)).toMatchObject({ state: 'running' })
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id, after: 0 })
  expect((await client.first('open')).open).toMatchObject({ parts: ['I am'], state: { state: 'busy' } })
  client.send({ type: 'admit', request: 'i', session: id, fact: { type: 'interrupt', key: 'k' } })
  expect(await client.until(() => find(client.facts(id), 'run-end'))).toMatchObject({ reason: 'interrupted' })
  expect(find(client.facts(id), 'turn-fail')).toMatchObject({ parts: [{ text: 'I am' }] })
  client.close()
})

test('a session whose agent cannot be put together says why, at every door and for good', async () => {
  const world = await serve(createTestWorkshop())
  const me = await world.person()
  const { id } = await world.agents.start(me.key, { repo: world.repo, input: 'hi', model: 'no such model' })
  const facts = await untilFact(me.own, id, 'run-end')
  expect(find(facts, 'run-end')).toMatchObject({ reason: 'failed', detail: 'there is no model "no such model"' })
  // Another look at it finds what was done already, and nobody takes that for work.
  world.agents.wake(me.own.owner, id)
  await until(async () => (await stateOf(world, me, id))?.state === 'idle')
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id, after: 0 })
  expect((await client.first('open')).open.state).toMatchObject({
    state: 'ended',
    detail: expect.stringContaining('model'),
  })
  client.close()
})

test('more agents than may work wait for their turn; one that waits for a person keeps nobody waiting', async () => {
  const free = signal()
  const slow: Reply = async function* () {
    await free.promise
    yield* say('slow')
  }
  const workshop = createTestWorkshop({
    tools: [tool('Change', () => ({ ok: true }))],
    verdict: 'ask',
    script: ({ model }) =>
      model === 'asks' ? [call('Change'), say('done')] : model === 'slow' ? [slow] : [say('quick')],
  })
  const world = await serve(workshop, { limits: { agents: 1 } })
  const me = await world.person()
  const asks = await world.agents.start(me.key, { repo: world.repo, input: 'a', model: 'asks' })
  await untilFact(me.own, asks.id, 'approval-ask')
  const slowly = await world.agents.start(me.key, { repo: world.repo, input: 'b', model: 'slow' })
  await untilFact(me.own, slowly.id, 'turn-start')
  const last = await world.agents.start(me.key, { repo: world.repo, input: 'c', model: 'quick' })
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id: last.id, after: 0 })
  const isQueued = (detail: string | undefined) => detail?.includes('waits until') === true
  await client.until(() =>
    client.frames.some(
      (frame) =>
        (frame.type === 'open' && isQueued(frame.open.state?.detail)) ||
        (frame.type === 'live' && frame.live.type === 'session-state' && isQueued(frame.live.detail)),
    ),
  )
  expect(await stateOf(world, me, last.id)).toMatchObject({ state: 'waiting', approvals: [] })
  free.resolve()
  await untilFact(me.own, last.id, 'run-end')
  client.close()
})

test('a server that stops leaves an approval pending; the next one takes the run up when it starts', async () => {
  let runs = 0
  const tools = [tool('Change', () => ({ ok: true, data: `${++runs}` }))]
  const first = await serve(createTestWorkshop({ tools, verdict: 'ask', script: () => [call('Change')] }))
  const before = await first.person()
  const { id } = await first.agents.start(before.key, { repo: first.repo, input: 'change it' })
  await untilFact(before.own, id, 'approval-ask')
  await first.close()
  const second = await serve(createTestWorkshop({ tools, verdict: 'ask', script: () => [say('done')] }), {
    roots: [first.repo],
  })
  const me = await second.person(['run', 'read'], before.key.person.name)
  const left = await collect(me.own.log.read(id))
  expect(left.at(-1)?.type).toBe('approval-ask')
  const ask = find(left, 'approval-ask') as FactOf<'approval-ask'>
  const client = await Client.open(second, me)
  client.send({ type: 'follow', id, after: 0 })
  const fact = {
    type: 'approval-answer' as const,
    key: 'k',
    callId: ask.callId,
    actionHash: ask.actionHash,
    option: 'allow',
  }
  client.send({ type: 'admit', request: 'a', session: id, fact })
  await client.until(() => find(client.facts(id), 'run-end'))
  expect(client.facts(id).filter(({ type }) => type === 'approval-ask').length).toBe(1)
  expect(runs).toBe(1)
  client.close()
})

test('a run that waits for a person keeps nobody waiting, also when it was taken up at the start', async () => {
  const tools = [tool('Change', () => ({ ok: true, data: 'changed' }))]
  const first = await serve(createTestWorkshop({ tools, verdict: 'ask', script: () => [call('Change')] }))
  const before = await first.person()
  const { id } = await first.agents.start(before.key, { repo: first.repo, input: 'change it' })
  await untilFact(before.own, id, 'approval-ask')
  await first.close()
  const workshop = createTestWorkshop({ tools, verdict: 'ask', script: () => [say('hello')] })
  const second = await serve(workshop, { roots: [first.repo], limits: { agents: 1 } })
  const me = await second.person(['run', 'read'], before.key.person.name)
  const client = await Client.open(second, me)
  client.send({ type: 'follow', id, after: 0 })
  // In what is open, or live behind it.
  await client.until(() => client.frames.find((frame) => JSON.stringify(frame).includes('needs-input')))
  const other = await second.agents.start(me.key, { repo: second.repo, input: 'hi' })
  await untilFact(me.own, other.id, 'run-end')
  client.close()
})

test('a run that a crash has cut is taken up at the next start, and what may have had its effect is not done again', async () => {
  let runs = 0
  const before = await serve(createTestWorkshop())
  const { own, key } = await before.person()
  await own.log.create('cut', { agent: { kind: 'maru' }, door: 'web', cwd: before.repo })
  const { seq } = await own.log.admit('cut', { ...inputFact('k', 'change it'), by: { kind: 'person', id: 'me' } })
  const lease = await own.log.lease('cut')
  const part = { type: 'call' as const, callId: 't_1', tool: 'Change', args: {} }
  await own.log.append('cut', { epoch: lease.epoch, expect: lease.last }, [
    { type: 'run-start', runId: 'r', inputs: [seq] },
    { type: 'turn-start', turnId: 't', runId: 'r' },
    { type: 'turn-end', turnId: 't', parts: [part], stop: 'calls' },
    { type: 'tool-start', callId: 't_1', tool: 'Change', args: {} },
  ])
  await lease.release()
  await before.close()
  const tools = [tool('Change', () => ({ ok: true, data: `${++runs}` }))]
  const workshop = createTestWorkshop({ tools, script: () => [say('I looked first')] })
  const world = await serve(workshop, { roots: [before.repo] })
  const me = await world.person(['read'], key.person.name)
  const facts = await untilFact(me.own, 'cut', 'run-end')
  expect(find(facts, 'tool-end')).toMatchObject({ callId: 't_1', outcome: 'interrupted' })
  expect(find(facts, 'run-end')).toMatchObject({ runId: 'r', reason: 'done' })
  expect(runs).toBe(0)
})

test('a session that cannot be read keeps no other from being taken up at the start', async () => {
  const before = await serve(createTestWorkshop())
  const { own, key } = await before.person()
  const by = { kind: 'person', id: 'me' } as const
  for (const id of ['good', 'odd']) {
    await own.log.create(id, { agent: { kind: 'maru' }, door: 'web', cwd: before.repo })
    await own.log.admit(id, { ...inputFact('k', 'go on'), by })
  }
  // The newest, so it is looked into first.
  await before.history.engine.asOwner((db) =>
    db.query(
      `update maru.fact f set body = 'null' from maru.conversation c
       where c.owner = $1 and c.id = 'odd' and f.owner = c.owner and f.session = c.no and f.seq = 2`,
      [key.person.id],
    ),
  )
  await before.close()
  const world = await serve(createTestWorkshop({ script: () => [say('done')] }), { roots: [before.repo] })
  const me = await world.person(['read'], key.person.name)
  expect(find(await untilFact(me.own, 'good', 'run-end'), 'run-end')).toMatchObject({ reason: 'done' })
  await me.own.log.erase('odd')
})

test('what waits is found and taken up behind any number of newer conversations', async () => {
  const tools = [tool('Change', () => ({ ok: true, data: 'changed' }))]
  const first = await serve(createTestWorkshop({ tools, verdict: 'ask', script: () => [call('Change')] }))
  const before = await first.person()
  const { id } = await first.agents.start(before.key, { repo: first.repo, input: 'change it' })
  await untilFact(before.own, id, 'approval-ask')
  // Of a chat, and brought in from elsewhere.
  for (let n = 0; n < 65; n++) {
    await before.own.log.create(`chat ${n}`, { agent: { kind: n % 5 ? 'maru' : 'import' }, door: 'api' })
  }
  await first.close()
  // Nothing is taken up without a root: how it stands is read from its facts.
  const looking = await serve(createTestWorkshop(), { roots: [] })
  const reader = await looking.person(['read'], before.key.person.name)
  expect(await stateOf(looking, reader, id)).toMatchObject({ state: 'waiting', approvals: [expect.any(String)] })
  await looking.close()
  const second = await serve(createTestWorkshop({ tools, verdict: 'ask', script: () => [say('done')] }), {
    roots: [first.repo],
  })
  const me = await second.person(['read'], before.key.person.name)
  const ask = find(await untilFact(me.own, id, 'approval-ask'), 'approval-ask') as FactOf<'approval-ask'>
  const answer = { type: 'approval-answer' as const, key: 'k', callId: ask.callId, actionHash: ask.actionHash }
  // Straight into the log: only who has taken it up hears of it.
  await me.own.log.admit(id, { ...answer, option: 'allow', by: { kind: 'person', id: 'me' } })
  expect(find(await untilFact(me.own, id, 'run-end'), 'run-end')).toMatchObject({ reason: 'done' })
})

test('what a fork has from its parent is not worked on by itself, also when a server starts', async () => {
  const workshop = createTestWorkshop({ script: () => [say('hello')] })
  const world = await serve(workshop)
  const me = await world.person()
  const { id } = await world.agents.start(me.key, { repo: world.repo, input: 'hi' })
  const facts = await untilFact(me.own, id, 'run-end')
  const input = facts.find(({ type }) => type === 'input-admit')
  // Its last fact is what somebody said, there; here nobody has asked for anything.
  const forkOf = { id, seq: input?.seq ?? 0 }
  await me.own.log.create('forked', { agent: { kind: 'maru' }, door: 'web', cwd: world.repo, forkOf })
  await world.agents.resume()
  const next = await world.agents.start(me.key, { repo: world.repo, input: 'hi' })
  await untilFact(me.own, next.id, 'run-end')
  expect(workshop.opened.map((wish) => wish.id)).toEqual([id, next.id])
  // Until somebody does.
  await me.own.log.admit('forked', { ...inputFact('k', 'go on'), by: { kind: 'person', id: 'me', door: 'web' } })
  await world.agents.resume()
  await untilFact(me.own, 'forked', 'run-end')
})

test('what was cut short long ago is not taken up because it was tagged or archived since', async () => {
  const workshop = createTestWorkshop({ script: () => [say('hello')] })
  const world = await serve(workshop)
  const me = await world.person()
  const at = Date.now() - 3 * 86_400_000
  const start = { agent: { kind: 'maru' as const }, door: 'web' as const, cwd: world.repo }
  const fact = { ...inputFact('k', 'long ago'), by: { kind: 'person' as const, id: 'me' } }
  await me.own.add('old', { start: { start, at }, facts: [{ fact, at }] })
  await me.own.conversations.patch('old', { status: 'archived' })
  await world.agents.resume()
  const next = await world.agents.start(me.key, { repo: world.repo, input: 'hi' })
  await untilFact(me.own, next.id, 'run-end')
  expect(workshop.opened.map((wish) => wish.id)).toEqual([next.id])
})

test('work that is under way when the server stops is written down as far as it came', async () => {
  const started = signal()
  const waiting: Reply = async function* (_request, signal) {
    yield { type: 'text-delta', part: 0, text: 'half' } satisfies ModelEvent
    started.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield { type: 'failure', failure: { code: 'aborted', message: 'stopped' }, parts: [{ type: 'text', text: 'half' }] }
  }
  const workshop = createTestWorkshop({ script: () => [waiting] })
  const world = await serve(workshop)
  const me = await world.person()
  const { id } = await world.agents.start(me.key, { repo: world.repo, input: 'go' })
  await started.promise
  await world.close()
  expect(workshop.closed).toEqual([id])
  const own = await world.history.openOwner(me.own.owner)
  const facts = await collect(own.log.read(id))
  expect(find(facts, 'turn-fail')).toMatchObject({ parts: [{ text: 'half' }] })
  expect(facts.at(-1)).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  await (await own.log.lease(id)).release()
  await own.log.close()
})

test('a session that runs elsewhere is left alone, and twenty wakes are one run', async () => {
  const workshop = createTestWorkshop({ script: () => [say('hello')] })
  const world = await serve(workshop, { restMs: 0 })
  const me = await world.person()
  const runner = await Client.open(world, me, { 'x-maru-door': 'terminal' })
  const create = { agent: { kind: 'maru' as const }, door: 'terminal' as const, cwd: world.repo }
  runner.send({ type: 'call', request: 'c', call: { op: 'create', id: 'theirs', start: create } })
  runner.send({ type: 'call', request: 'l', call: { op: 'lease', id: 'theirs' } })
  await runner.answer('l')
  await me.own.log.admit('theirs', { ...inputFact('k', 'hi'), by: { kind: 'person', id: 'me' } })
  for (const _ of upTo(20)) world.agents.wake(me.own.owner, 'theirs')
  expect(await stateOf(world, me, 'theirs')).toMatchObject({ state: 'elsewhere' })
  expect(workshop.opened).toEqual([])
  // Held by a process that this server does not know of.
  const { id } = await world.agents.start(me.key, { repo: world.repo })
  const lease = await me.own.log.lease(id)
  await me.own.log.admit(id, { ...inputFact('k', 'hi'), by: { kind: 'person', id: 'me' } })
  world.agents.wake(me.own.owner, id)
  await until(async () => (await stateOf(world, me, id))?.state === 'idle')
  expect(workshop.opened).toEqual([])
  expect((await collect(me.own.log.read(id))).map(({ type }) => type)).toEqual(['session-start', 'input-admit'])
  await lease.release()
  for (const _ of upTo(20)) world.agents.wake(me.own.owner, id)
  const facts = await untilFact(me.own, id, 'run-end')
  expect(facts.filter(({ type }) => type === 'run-start').length).toBe(1)
  runner.close()
})

function signal(): { promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

async function stateOf(
  world: { agents: LocalAgents },
  me: Parameters<LocalAgents['list']>[0] | { key: Parameters<LocalAgents['list']>[0] },
  id: string,
) {
  const { items } = await world.agents.list('key' in me ? me.key : me, { limit: 200 })
  return items.find((session) => session.id === id)
}

function inputFact(key: string, text: string) {
  return { type: 'input-admit' as const, key, delivery: 'queue' as const, parts: [{ type: 'text' as const, text }] }
}

function find<T extends Recorded['type']>(facts: Recorded[], type: T) {
  return facts.find((fact) => fact.type === type) as Extract<Recorded, { type: T }> | undefined
}

async function untilFact(own: OwnHistory, id: string, type: Recorded['type']): Promise<Recorded[]> {
  const facts: Recorded[] = []
  for await (const fact of own.log.follow(id, 0, AbortSignal.timeout(90_000))) {
    facts.push(fact)
    if (fact.type === type) return facts
  }
  throw new Error(`no ${type} came: ${facts.map((fact) => fact.type).join(' ')}`)
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) {
    if (tries > 9_000) throw new Error('what was waited for did not come')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
