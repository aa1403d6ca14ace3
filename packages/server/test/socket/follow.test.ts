import type { LiveBus, Recorded } from '@maru/protocol'
import type { OwnHistory } from '@maru/store'
import { collect, input, start, toolEnd, toolStart, turnEnd, upTo } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from './client.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('who follows a session gets what it has not seen, then the open turn, then everything that comes, once', async () => {
  const me = await world.person()
  await me.own.log.create('s', start)
  for (const n of upTo(30)) await me.own.log.admit('s', input(`k${n}`))
  const [old, late] = [await Client.open(world, me), await Client.open(world, me)]
  old.send({ type: 'follow', id: 's', after: 0 })
  late.send({ type: 'follow', id: 's', after: 25 })
  expect(await old.first('open')).toEqual({ type: 'open', id: 's', after: 31, open: { parts: [], progress: {} } })
  await late.first('open')
  for (const n of upTo(30)) await me.own.log.admit('s', input(`l${n}`))
  await old.until(() => old.seqs('s').length === 61)
  await late.until(() => late.seqs('s').length === 36)
  expect(old.facts('s')).toEqual(await collect(me.own.log.read('s')))
  expect(late.seqs('s')).toEqual(upTo(61).slice(25))
  old.close()
  late.close()
})

test('whoever joins in mid-turn shows the same text as who was there, and no piece twice', async () => {
  const me = await world.person()
  const lease = await begin(me.own)
  const clients = [await follower(me, 0)]
  const turns = await play(me, lease, async () => {
    clients.push(await follower(me, 0))
  })
  for (const client of clients) {
    await client.until(() => client.facts('s').some(({ type }) => type === 'run-end'))
    expect(client.facts('s')).toEqual(await collect(me.own.log.read('s')))
    const shown = client.shown('s')
    for (const [turnId, text] of Object.entries(shown)) expect(text).toBe(turns.get(turnId))
    expectTextInsideItsTurn(client)
    client.close()
  }
  expect(clients[0]?.shown('s')).toEqual(Object.fromEntries(turns))
})

test('live text reaches clients behind the start of its turn and ahead of its end, also if both happen at once', async () => {
  const me = await world.person()
  const lease = await begin(me.own)
  const client = await follower(me, 0)
  let expectSeq = lease.last
  for (const n of upTo(20)) {
    const turnId = `t${n}`
    const append = async (fact: Parameters<OwnHistory['log']['append']>[2][number]) => {
      const [record] = await me.own.log.append('s', { epoch: lease.epoch, expect: expectSeq }, [fact])
      expectSeq = record?.seq ?? expectSeq
    }
    await append({ type: 'turn-start', turnId, runId: 'r' })
    for (const at of upTo(5)) tell(me.live, turnId, at - 1)
    me.live.settle('s', { turnId })
    await append(turnEnd(turnId, 'xxxxx'))
  }
  await client.until(() => client.facts('s').filter(({ type }) => type === 'turn-end').length === 20)
  expectTextInsideItsTurn(client)
  expect(Object.values(client.shown('s'))).toEqual(upTo(20).map(() => 'xxxxx'))
  client.close()
})

test('output of a call that has ended is not given to late joiners, even if its runner died before it said so', async () => {
  const me = await world.person()
  const lease = await begin(me.own)
  me.live.publish('s', { type: 'tool-progress', callId: 'c1', offset: 0, text: 'half of it' })
  me.live.publish('s', { type: 'tool-progress', callId: 'c2', offset: 0, text: 'still going' })
  await me.own.log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c1'), toolEnd('c1')])
  const client = await follower(me, 0)
  const { open } = await client.first('open')
  expect(open.progress).toEqual({ c2: { offset: 0, text: 'still going' } })
  client.close()
})

test('unfollow stops it, following again goes on from anywhere, and an erased session is gone', async () => {
  const me = await world.person()
  await me.own.log.create('s', start)
  const client = await follower(me, 0)
  client.send({ type: 'unfollow', id: 's' }, { type: 'ping' })
  await client.first('pong')
  await me.own.log.admit('s', input('unseen'))
  expect(client.seqs('s')).toEqual([1])
  client.send({ type: 'follow', id: 's', after: 1 })
  await client.until(() => client.frames.filter(({ type }) => type === 'open').length === 2)
  expect(client.seqs('s')).toEqual([1, 2])
  await me.own.log.erase('s')
  expect(await client.first('gone')).toEqual({ type: 'gone', id: 's' })
  client.send({ type: 'follow', id: 'never was', after: 0 })
  expect(await client.first('gone', ({ id }) => id === 'never was')).toMatchObject({ problem: { code: 'missing' } })
  client.close()
})

test('who watches hears of every session of theirs, of no other, and from a cursor on', async () => {
  const [me, other] = [await world.person(), await world.person()]
  const client = await Client.open(world, me)
  client.send({ type: 'watch' }, { type: 'ping' })
  await client.first('pong')
  await other.own.log.create('theirs', start)
  await me.own.log.create('a', start)
  await me.own.log.create('b', start)
  const { change } = await client.first('change', (frame) => 'id' in frame.change && frame.change.id === 'b')
  expect(JSON.stringify(client.frames)).not.toContain('theirs')
  await me.own.log.admit('a', input('k'))
  const again = await Client.open(world, me)
  again.send({ type: 'watch', cursor: change.cursor })
  expect((await again.first('change')).change).toMatchObject({ id: 'a', seq: 2, kind: 'input-admit' })
  again.send({ type: 'watch', cursor: 'nonsense' })
  await again.first('change', (frame) => 'reset' in frame.change)
  client.close()
  again.close()
})

async function begin(own: OwnHistory) {
  await own.log.create('s', start)
  return own.log.lease('s')
}

async function follower(me: { secret: string }, after: number): Promise<Client> {
  const client = await Client.open(world, me)
  client.send({ type: 'follow', id: 's', after })
  await client.first('open')
  return client
}

function tell(live: LiveBus, turnId: string, offset: number): void {
  live.publish('s', { type: 'text-delta', turnId, part: 0, offset, text: 'x' })
}

// A run of a few turns whose text comes in pieces; somebody joins in the middle of each.
async function play(
  { own, live }: { own: OwnHistory; live: LiveBus },
  lease: { epoch: number; last: number },
  joinIn: () => Promise<void>,
): Promise<Map<string, string>> {
  const turns = new Map<string, string>()
  let last = lease.last
  const append = async (...facts: Parameters<OwnHistory['log']['append']>[2]) => {
    const records = await own.log.append('s', { epoch: lease.epoch, expect: last }, facts)
    last = records.at(-1)?.seq ?? last
  }
  await append({ type: 'run-start', runId: 'r', inputs: [] })
  for (const n of upTo(4)) {
    const turnId = `t${n}`
    await append({ type: 'turn-start', turnId, runId: 'r' })
    let text = ''
    for (const piece of upTo(40)) {
      const more = `${n}.${piece} 한글 `
      live.publish('s', { type: 'text-delta', turnId, part: 0, offset: text.length, text: more })
      text += more
      if (piece === 20) await joinIn()
      if (piece % 7 === 0) await own.log.admit('s', input(`k${n} ${piece}`))
    }
    turns.set(turnId, text)
    live.settle('s', { turnId })
    await append(turnEnd(turnId, text))
  }
  await append({ type: 'run-end', runId: 'r', reason: 'done' })
  return turns
}

function expectTextInsideItsTurn(client: Client): void {
  const ended = new Set<string>()
  const started = new Set<string>()
  const joinedIn = client.frames.find((frame) => frame.type === 'open')?.open.turnId
  const note = (record: Recorded) => {
    if (record.type === 'turn-start') started.add(record.turnId)
    if (record.type === 'turn-end') ended.add(record.turnId)
  }
  for (const frame of client.frames) {
    if (frame.type === 'facts') frame.facts.forEach(note)
    if (frame.type !== 'live' || frame.live.type !== 'text-delta') continue
    const { turnId } = frame.live
    expect([turnId, ended.has(turnId)]).toEqual([turnId, false])
    expect([turnId, started.has(turnId) || turnId === joinedIn]).toEqual([turnId, true])
  }
}
