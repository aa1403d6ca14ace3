import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Projection, Recorded } from '@maru/protocol'
import { input, start, temporaryDirectory } from '@maru/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJsonlStore } from '../src/index.ts'

let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  place = await temporaryDirectory()
})
afterEach(() => place.dispose())

// What it was given is counted outside: what was left of an earlier look is not given again.
function counting() {
  const given: number[] = []
  const projection: Projection<{ keys: string[] }> = {
    name: 'keys',
    version: 1,
    create: () => ({ keys: [] }),
    apply(state, record: Recorded) {
      given.push(record.seq)
      if (record.type === 'input-admit') state.keys.push(record.key)
    },
  }
  return { given, projection }
}

const open = () => openJsonlStore({ directory: place.path, now: () => 1 })
const left = (id = 's') => join(place.path, id, 'snapshots', 'keys.json')

async function write(count: number, letters = 1_000): Promise<void> {
  const { log } = open()
  await log.create('s', start)
  for (let n = 0; n < count; n++) await log.admit('s', input(`k${n}`, 'x'.repeat(letters)))
  await log.close()
}

test('a second look reads only what came since the first', async () => {
  await write(30)
  const first = counting()
  const look = await open().glance('s', first.projection)
  expect(look).toMatchObject({ seq: 31, isDamaged: false })
  expect(first.given).toHaveLength(31)
  const { log } = open()
  await log.admit('s', input('more'))
  await log.close()
  const second = counting()
  expect((await open().glance('s', second.projection)).state.keys).toEqual([...look.state.keys, 'more'])
  expect(second.given).toEqual([32])
})

test('nothing is left beside a short log: reading it again is as quick', async () => {
  await write(2, 10)
  await open().glance('s', counting().projection)
  expect(existsSync(left())).toBe(false)
})

test('what was erased is not in what was left, and not in what the next look gives', async () => {
  await write(30)
  await open().glance('s', counting().projection)
  expect(readFileSync(left(), 'utf8')).toContain('k7')
  const { log } = open()
  await log.erase('s', 9)
  await log.close()
  expect(existsSync(left())).toBe(false)
  expect((await open().glance('s', counting().projection)).state.keys).not.toContain('k7')
})

test('a damaged log is looked at as far as it can be read, is called damaged each time, and nothing is left of it', async () => {
  await write(30)
  const path = join(place.path, 's.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[10] = 'not a record'
  writeFileSync(path, lines.join('\n'))
  for (let look = 0; look < 2; look++) {
    const { state, isDamaged } = await open().glance('s', counting().projection)
    expect([isDamaged, state.keys.includes('k8'), state.keys.includes('k29')]).toEqual([true, true, true])
    expect(state.keys).toHaveLength(29)
  }
  expect(existsSync(left())).toBe(false)
})

test('whether somebody writes can be asked without getting in the way', async () => {
  await write(1)
  const [one, other] = [open(), open()]
  expect(await other.isHeld('s')).toBe(false)
  const lease = await one.log.lease('s')
  expect(await other.isHeld('s')).toBe(true)
  await expect(other.log.lease('s')).rejects.toMatchObject({ code: 'held' })
  await lease.release()
  expect(await other.isHeld('s')).toBe(false)
  expect(await other.isHeld('nothing')).toBe(false)
  // Asked all the time, it can still be taken.
  const asking = Promise.all(Array.from({ length: 50 }, () => other.isHeld('s')))
  const again = await one.log.lease('s')
  await asking
  await again.release()
  await one.log.close()
})

test('a program that another thread is just starting does not count as a writer', async () => {
  await write(1)
  const store = open()
  const starter = new Worker("const { spawnSync } = require('node:child_process'); for (;;) spawnSync('true')", {
    eval: true,
  })
  try {
    for (let round = 0; round < 100; round++) {
      const lease = await store.log.lease('s')
      await lease.release()
      expect(await store.isHeld('s')).toBe(false)
    }
  } finally {
    await starter.terminate()
  }
  await store.log.close()
})
