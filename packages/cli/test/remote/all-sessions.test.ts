import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uniqueHex } from '@maru/store'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerLink } from '../../src/remote/link.ts'
import { openLink } from '../../src/remote/open-link.ts'
import { type House, openHouse } from './house.ts'

let house: House
let server: Awaited<ReturnType<House['serve']>>

beforeAll(async () => {
  house = await openHouse(Array.from({ length: 5 }, () => ({ reply: [{ text: 'Done.' }] })))
  server = await house.serve()
})
afterAll(() => house.close())

const fileOf = (id: string) => join(house.home, 'sessions', `${id}.jsonl`)
const json = async (...args: string[]) => JSON.parse((await house.run([...args, '--json'])).stdout)
const ids = async () => (await json('sessions', 'list')).sessions.map(({ id }: { id: string }) => id).sort()

async function openOther(): Promise<ServerLink> {
  const link = await openLink(server.server, { invocation: await house.invocation() })
  onTestFinished(() => link.close())
  return link
}

async function makeMoved(id: string, link: ServerLink): Promise<void> {
  await house.run(['run', '--session', id, 'hello'])
  const by = { kind: 'person', id: 'owner' } as const
  const title = () => link.log.admit(id, { type: 'title-set', key: uniqueHex(8), by, title: 'from another door' })
  await vi.waitFor(title, { timeout: 90_000, interval: 100 })
}

test('reset and prune reach what the server keeps, and say what somebody works on', async () => {
  const link = await openOther()
  await makeMoved('moved', link)
  await makeMoved('busy', link)
  await house.run(['run', '--session', 'file', 'hello'])
  expect((await json('reset', '--all')).reset.toSorted()).toEqual(['busy', 'file', 'moved'])
  const lease = await link.log.lease('busy')
  const pruned = await house.run(['sessions', 'prune', '--keep', '0', '--yes', '--json'])
  expect(pruned.code).toBe(1)
  const { deleted, left } = JSON.parse(pruned.stdout)
  expect(deleted.toSorted()).toEqual(['file', 'moved'])
  expect(left).toMatchObject([{ id: 'busy', code: 'held' }])
  expect(await ids()).toEqual(['busy'])
  expect([existsSync(fileOf('moved')), existsSync(fileOf('file'))]).toEqual([false, false])
  const told = await house.run(['sessions', 'delete', 'busy', '--yes', '--lang', 'ko'])
  expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('세션을 다른 곳에서 쓰고 있습니다')])
  await lease.release()
  expect(await house.run(['sessions', 'prune', '--keep', '0', '--yes'])).toMatchObject({
    code: 0,
    stdout: '1 session erased\n',
  })
  expect(await ids()).toEqual([])
})

test('where no server runs, nobody is told that all is gone', async () => {
  await makeMoved('stays', await openOther())
  await server.stop()
  const pruned = await house.run(['sessions', 'prune', '--keep', '0', '--yes', '--json'])
  expect([pruned.code, pruned.stderr]).toEqual([1, expect.stringContaining('sessions that the history keeps were not')])
  expect(JSON.parse(pruned.stdout)).toMatchObject({ deleted: [], left: [{ id: 'stays', code: 'moved' }] })
  expect(existsSync(fileOf('stays'))).toBe(true)
  const reset = await house.run(['reset', '--all', '--lang', 'ko'])
  expect(reset.stderr).toContain('기록에 있는 세션은 살펴보지 않았습니다')
  expect(reset.stderr).toContain('"maru serve"를 시작한 뒤')
  server = await house.serve()
  expect(await json('sessions', 'delete', 'stays', '--yes')).toMatchObject({ deleted: ['stays'], left: [] })
  expect(await ids()).toEqual([])
})

test('what was brought in from elsewhere is shown, written out and erased by its id there, too', async () => {
  const said = { uuid: 'm', sender: 'human', text: '얼룩말', content: [] }
  const talk = { uuid: 'zebra', name: 'stripes', created_at: '2026-01-02T03:04:05Z', chat_messages: [said] }
  const file = join(house.home, 'talks.json')
  await writeFile(file, JSON.stringify([talk]))
  await house.run(['import', file])
  const [hit = ''] = (await house.run(['search', '얼룩말', '--json'])).stdout.split('\n')
  const { conversation } = JSON.parse(hit) as { conversation: string }
  expect((await house.run(['sessions', 'show', conversation])).stdout).toContain('stripes')
  expect((await house.run(['sessions', 'export', conversation])).stdout).toContain('얼룩말')
  expect(await json('sessions', 'delete', conversation, '--yes')).toMatchObject({ deleted: [conversation], left: [] })
  expect((await house.run(['search', '얼룩말'])).stdout).toBe('')
})
