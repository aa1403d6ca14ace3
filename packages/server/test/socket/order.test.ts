import type { SessionLog } from '@maru/protocol'
import { collect, input, start, upTo } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHeldLeases } from '../../src/socket/held-leases.ts'
import { Client } from './client.ts'
import { openWorld, type World } from './world.ts'

let world: World
let onAdmitted = () => {}
beforeAll(async () => {
  world = await openWorld({
    createAgents: () => ({
      start: () => Promise.reject(new Error('no agents here')),
      list: async () => ({ items: [] }),
      isAtWork: () => false,
      wake: () => undefined,
      onAdmitted: () => onAdmitted(),
      close: async () => undefined,
    }),
  })
})
afterAll(() => world.close())

const interrupt = (key: string) => ({ type: 'interrupt' as const, key })

test('what one client asks of one session is done in the order of asking, whatever it is', async () => {
  const me = await world.person()
  const client = await Client.open(world, me)
  await me.own.log.create('s', start)
  client.send({ type: 'call', request: 'lease', call: { op: 'lease', id: 's' } })
  const { value } = (await client.answer('lease')) as unknown as { value: { epoch: number; last: number } }
  const holder = { epoch: value.epoch, expect: value.last }
  const move = { type: 'session-move', to: 'store' } as const
  client.send(
    { type: 'admit', request: 'first', session: 's', fact: input('first') },
    { type: 'call', request: 'move', call: { op: 'append', id: 's', holder, facts: [move] } },
    { type: 'admit', request: 'late', session: 's', fact: interrupt('late') },
  )
  expect(await client.answer('first')).toMatchObject({ type: 'admitted', record: { seq: 2 } })
  expect(await client.answer('move')).toMatchObject({ type: 'result', value: [{ seq: 3 }] })
  expect(await client.answer('late')).toMatchObject({ type: 'refused', problem: { code: 'moved' } })
  client.close()
})

test('a client that leaves while it is given a lease keeps nobody from the session', async () => {
  const { own } = await world.person()
  await own.log.create('left', start)
  const leases = createHeldLeases<{ name: string }>({ now: Date.now, graceMs: 0, onReleased: () => undefined })
  const [gone, first] = [{ name: 'gone' }, { name: 'first' }]
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  const slow: SessionLog = { ...own.log, lease: (id) => given.then(() => own.log.lease(id)) }
  const place = { owner: own.owner, id: 'left' }
  const taking = leases.take(gone, { ...place, log: slow })
  leases.leave(gone)
  give()
  await expect(taking).rejects.toMatchObject({ code: 'closed' })
  expect([leases.isHeld(own.owner, 'left'), leases.isHere(own.owner, 'left')]).toEqual([false, false])

  // Whatever a client asked for before it left may still be done: it does not get the lease back by that.
  const { epoch } = await leases.take(first, { ...place, log: own.log })
  leases.leave(first)
  expect(leases.find(first, { ...place, epoch })).toBeDefined()
  expect(leases.isHere(own.owner, 'left')).toBe(false)
  leases.sweep()
  expect(leases.isHeld(own.owner, 'left')).toBe(false)
  await leases.close()
})

test('of what a client has asked for, nothing begins any more once its key has ended', async () => {
  const me = await world.person()
  const client = await Client.open(world, me)
  await me.own.log.create('ended', start)
  onAdmitted = () => world.inside.endKey(me.key.id)
  for (const n of upTo(60)) client.raw(JSON.stringify(admission(n)))
  expect(await client.ended()).toBe(4001)
  expect(await collect(me.own.log.read('ended'))).toHaveLength(2)
})

function admission(n: number) {
  return { type: 'admit', request: String(n), session: 'ended', fact: interrupt(`k${n}`) }
}
