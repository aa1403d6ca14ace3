import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Projection } from '@maru/protocol'
import { input, start, temporaryDirectory, upTo } from '@maru/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJsonlStore } from '../src/index.ts'

let directory: string
let dispose: () => Promise<void>
beforeEach(async () => ({ path: directory, dispose } = await temporaryDirectory()))
afterEach(() => dispose())

const snapshotPath = () => join(directory, 's', 'snapshots', 'head.json')

async function writeLongLog(facts: number): Promise<void> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  await log.create('s', start)
  const lease = await log.lease('s')
  await Promise.all(upTo(facts).map((n) => log.admit('s', input(`k${n}`, 'x'.repeat(1000)))))
  await lease.release()
  await log.close()
}

async function reopen(): Promise<{ seq: number; again: number }> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  const again = await log.admit('s', input('k7', 'not stored twice'))
  const next = await log.admit('s', input(`next ${Math.random()}`))
  await log.close()
  return { seq: next.seq, again: again.seq }
}

test('a long log leaves a snapshot when it is let go, and is opened from it', async () => {
  await writeLongLog(400)
  expect(JSON.parse(await readFile(snapshotPath(), 'utf8'))).toMatchObject({ version: 1, seq: 401 })
  expect(await reopen()).toEqual({ seq: 402, again: 8 })
  expect(await reopen()).toEqual({ seq: 403, again: 8 })
})

test('what a snapshot covers is not read again to go on; without it, everything is', async () => {
  await writeLongLog(400)
  const path = join(directory, 's.jsonl')
  const bytes = await readFile(path)
  bytes.fill('\n', 300, 310)
  await writeFile(path, bytes)
  const { log } = openJsonlStore({ directory, now: Date.now })
  expect(await log.admit('s', input('one more'))).toMatchObject({ seq: 402 })
  await rm(snapshotPath())
  await expect(log.admit('s', input('and another'))).rejects.toMatchObject({ code: 'damaged' })
  await log.close()
})

test('any projection can be read from a log', async () => {
  await writeLongLog(20)
  const { project } = openJsonlStore({ directory, now: Date.now })
  const count: Projection<{ count: number }> = {
    name: 'count',
    version: 1,
    create: () => ({ count: 0 }),
    apply: (state) => {
      state.count++
    },
  }
  expect(await project('s', count)).toEqual({ count: 21 })
})

test.each([
  ['torn', (text: string) => text.slice(0, 100)],
  ['of another version', (text: string) => text.replace('"version":1', '"version":0')],
  ['of another log', (text: string) => text.replace(/"hash":"..../, '"hash":"0000')],
])('a snapshot that is %s is not used', async (_what, spoil) => {
  await writeLongLog(400)
  await writeFile(snapshotPath(), spoil(await readFile(snapshotPath(), 'utf8')))
  expect(await reopen()).toEqual({ seq: 402, again: 8 })
})

test('erasing a fact clears snapshots, which may hold what was erased', async () => {
  await writeLongLog(400)
  const { log } = openJsonlStore({ directory, now: Date.now })
  await log.erase('s', 5)
  await log.close()
  expect(await reopen()).toEqual({ seq: 402, again: 8 })
  const { log: again } = openJsonlStore({ directory, now: Date.now })
  for await (const record of again.read('s', 4)) {
    expect(record).toMatchObject({ seq: 5, type: 'erased', was: 'input-admit' })
    break
  }
  await again.close()
  expect((await stat(join(directory, 's.jsonl'))).mode & 0o777).toBe(0o600)
})
