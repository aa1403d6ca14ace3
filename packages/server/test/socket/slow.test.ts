import { collect, start, toolEnd, upTo } from '@maru/testkit'
import { expect, test } from 'vitest'
import { Client } from './client.ts'
import { openWorld } from './world.ts'

const PIECE = '한글 text '.repeat(2_000)
const by = { kind: 'person' as const, id: 'me' }

test('a client that is too slow misses pieces, gets the open turn anew, and every fact once', async () => {
  // However long the others take to say everything, it is not sent away meanwhile.
  const world = await openWorld({ timing: { full: 64 * 1024, slowMs: 600_000 } })
  const me = await world.person()
  await me.own.log.create('s', start)
  const lease = await me.own.log.lease('s')
  const [slow, quick] = [await Client.open(world, me), await Client.open(world, me)]
  for (const client of [slow, quick]) {
    client.send({ type: 'follow', id: 's', after: 0 })
    await client.first('open')
  }
  slow.socket.pause()
  await me.own.log.append('s', { epoch: lease.epoch, expect: lease.last }, [
    { type: 'turn-start', turnId: 't', runId: 'r' },
  ])
  let text = ''
  for (const n of upTo(500)) {
    me.live.publish('s', { type: 'text-delta', turnId: 't', part: 0, offset: text.length, text: PIECE })
    text += PIECE
    if (n % 50 === 0) {
      await me.own.log.admit('s', { type: 'interrupt', key: `k${n}`, by })
      await quick.until(() => quick.shown('s')['t']?.length === text.length)
    }
  }
  slow.socket.resume()
  await slow.until(() => slow.shown('s')['t'] === text && slow.seqs('s').length === 12)
  expect(slow.frames.filter(({ type }) => type === 'open').length).toBeGreaterThan(1)
  const stored = await collect(me.own.log.read('s'))
  for (const client of [slow, quick]) expect(client.facts('s')).toEqual(stored)
  await world.close()
})

test('a client that does not read at all is sent away', async () => {
  // Its time goes on when the other has read everything: on a busy machine that one might be too slow as well.
  let time = Date.now()
  const world = await openWorld({ timing: { full: 64 * 1024, slowMs: 300, goodbyeMs: 200 }, now: () => time })
  const me = await world.person()
  await me.own.log.create('s', start)
  await me.own.add('s', { facts: upTo(700).map((n) => ({ fact: toolEnd(`c${n}`, LONG), at: n })) })
  const [stuck, fine] = [await Client.open(world, me), await Client.open(world, me)]
  stuck.socket.pause()
  stuck.send({ type: 'follow', id: 's', after: 0 })
  fine.send({ type: 'follow', id: 's', after: 0 })
  await fine.first('open')
  expect(fine.seqs('s')).toEqual(upTo(701))
  for (let tries = 0; world.sockets.size > 1; tries++) {
    expect(tries).toBeLessThan(3_000)
    time += 5
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  fine.send({ type: 'ping' })
  await fine.first('pong')
  await world.close()
})

test('hundreds of clients get every message of their session, in order and once', async () => {
  const world = await openWorld()
  const me = await world.person()
  await me.own.log.create('s', start)
  const clients = await Promise.all(upTo(100).map(() => Client.open(world, me)))
  for (const client of clients) client.send({ type: 'follow', id: 's', after: 0 })
  await Promise.all(clients.map((client) => client.first('open')))
  await Promise.all(upTo(50).map((n) => me.own.log.admit('s', { type: 'interrupt', key: `k${n}`, by })))
  for (const client of clients) {
    await client.until(() => client.seqs('s').length === 51)
    expect(client.seqs('s')).toEqual(upTo(51))
  }
  for (const client of clients.slice(1)) client.socket.terminate()
  await me.own.log.admit('s', { type: 'interrupt', key: 'last', by })
  await clients[0]?.until(() => clients[0]?.seqs('s').length === 52)
  await world.close()
})

const LONG = 'x'.repeat(15_000)
