import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Projection } from '@maru/protocol'
import { input, start, temporaryDirectory, toolEnd } from '@maru/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJsonlStore } from '../src/index.ts'

const counter: Projection<{ facts: number }> = {
  name: 'counter',
  version: 1,
  create: () => ({ facts: 0 }),
  apply(state) {
    state.facts++
  },
}

let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  place = await temporaryDirectory()
})
afterEach(() => place.dispose())

// Long enough for a snapshot.
async function writeLog(facts = 150) {
  const store = openJsonlStore({ directory: place.path, now: () => 1 })
  await store.log.create('s', start)
  const lease = await store.log.lease('s')
  const long = Array.from({ length: facts }, (_, n) => toolEnd(`c${n}`, 'x'.repeat(2_000)))
  const written = await store.log.append('s', { epoch: lease.epoch, expect: lease.last }, long)
  store.states.keep('s', counter, { state: { facts: facts + 1 }, seq: written.at(-1)?.seq ?? 0 })
  await lease.release()
  await store.log.close()
}

test('a state that was kept when a log was let go of is there for the next', async () => {
  await writeLog()
  const store = openJsonlStore({ directory: place.path, now: () => 1 })
  expect(await store.states.load('s', counter)).toEqual({ state: { facts: 151 }, seq: 151 })
  await store.log.admit('s', input('more'))
  expect(await store.reach('s', counter)).toEqual({ state: { facts: 152 }, seq: 152 })
  const read: number[] = []
  for await (const { seq } of store.log.read('s', 150)) read.push(seq)
  expect(read).toEqual([151, 152])
  await store.log.close()
})

test('a state of another version, of a changed log, or one that is torn, is not taken', async () => {
  await writeLog()
  const store = openJsonlStore({ directory: place.path, now: () => 1 })
  expect(await store.states.load('s', { ...counter, version: 2 })).toBeUndefined()
  await store.log.erase('s', 151)
  expect(await store.states.load('s', counter)).toBeUndefined()
  await store.log.close()
})

test('a state that had not come to the end is not kept', async () => {
  const store = openJsonlStore({ directory: place.path, now: () => 1 })
  await writeLog()
  const lease = await store.log.lease('s')
  const facts = Array.from({ length: 120 }, (_, n) => toolEnd(`d${n}`, 'y'))
  await store.log.append('s', { epoch: lease.epoch, expect: lease.last }, facts)
  store.states.keep('s', counter, { state: { facts: 7 }, seq: 200 })
  await lease.release()
  expect((await store.states.load('s', counter))?.seq).toBe(151)
  await store.log.close()
})

test('a torn state is as good as none', async () => {
  await writeLog()
  const folder = join(place.path, 's', 'snapshots')
  expect((await readdir(folder)).toSorted()).toEqual(['counter.json', 'head.json'])
  await writeFile(join(folder, 'counter.json'), '{"version":1,"seq":1')
  const store = openJsonlStore({ directory: place.path, now: () => 1 })
  expect(await store.states.load('s', counter)).toBeUndefined()
  await store.log.close()
})
