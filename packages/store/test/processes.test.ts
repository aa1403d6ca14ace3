import { fileURLToPath } from 'node:url'
import {
  bundleNodeScript,
  collect,
  exitOf,
  input,
  linesOf,
  type NodeScript,
  start,
  temporaryDirectory,
  toolEnd,
  toolStart,
  upTo,
} from '@maru/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openJsonlStore } from '../src/index.ts'

const scripts: { follower?: NodeScript; rival?: NodeScript } = {}
beforeAll(async () => {
  const bundle = (name: string) => bundleNodeScript(fileURLToPath(new URL(`processes/${name}.ts`, import.meta.url)))
  scripts.follower = await bundle('follower')
  scripts.rival = await bundle('rival')
})
afterAll(() => Promise.all(Object.values(scripts).map((script) => script.dispose())))

let directory: string
let dispose: () => Promise<void>
beforeEach(async () => ({ path: directory, dispose } = await temporaryDirectory()))
afterEach(() => dispose())

test('other processes follow the file while doors admit and the runner appends: no gap, no duplicate', async () => {
  const { log } = openJsonlStore({ directory, now: Date.now })
  await log.create('s', start)
  const total = 1 + 3 * 100 + 2 * 100
  const followers = [0, 100, total - 1].map((after) => {
    const child = scripts.follower?.start(directory, 's', String(after), String(total))
    if (!child) throw new Error('not bundled')
    return { after, seen: collect(linesOf(child)), exit: exitOf(child) }
  })
  const doors = upTo(3).map(async (door) => {
    for (const n of upTo(100)) await log.admit('s', input(`${door}:${n}`, '가'.repeat(n * 20)))
  })
  const runner = async () => {
    const { epoch, last } = await log.lease('s')
    let own = last
    for (const n of upTo(100)) {
      const facts = [toolStart(`c${n}`), toolEnd(`c${n}`, 'x'.repeat(n * 50))]
      own = (await log.append('s', { epoch, expect: own }, facts)).at(-1)?.seq ?? own
    }
  }
  await Promise.all([...doors, runner()])
  for (const { after, seen, exit } of followers) {
    expect((await seen).map(Number)).toEqual(upTo(total).slice(after))
    expect(await exit).toEqual({ code: 0, signal: null })
  }
  await log.close()
})

test('a second process may read a session that is held, and is told who writes it', async () => {
  const { log } = openJsonlStore({ directory, now: Date.now })
  await log.create('s', start)
  const lease = await log.lease('s')
  const rival = scripts.rival?.start(directory, 's')
  if (!rival) throw new Error('not bundled')
  const [line = ''] = await collect(linesOf(rival))
  const { refusals, read } = JSON.parse(line)
  expect(read).toBe(1)
  expect(refusals).toHaveLength(3)
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'held', pid: process.pid })
  expect(refusals[0].message).toContain(`process ${process.pid}`)
  await lease.release()
  const second = openJsonlStore({ directory, now: Date.now })
  expect(await second.log.admit('s', input('now free'))).toMatchObject({ seq: 2 })
  await second.log.close()
  await log.close()
})

test('of many that want the same session at once, one gets it', async () => {
  const { log } = openJsonlStore({ directory, now: Date.now })
  await log.create('s', start)
  const rivals = upTo(12).map(() => openJsonlStore({ directory, now: Date.now }).log)
  const outcomes = await Promise.allSettled(rivals.map((rival) => rival.lease('s')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await Promise.all(rivals.map((rival) => rival.close()))
  await (await log.lease('s')).release()
  await log.close()
})
