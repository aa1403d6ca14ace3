import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openLink } from '../../src/remote/open-link.ts'
import { type House, openHouse } from './house.ts'

let house: House
let server: Awaited<ReturnType<House['serve']>>

const answer = (text: string) => ({ reply: [{ text }] })

beforeAll(async () => {
  house = await openHouse(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'].map(answer))
  server = await house.serve()
})
afterAll(() => house.close())

const fileOf = (id: string) => join(house.home, 'sessions', `${id}.jsonl`)
const say = (...args: string[]) => house.run(['run', ...args])
const said = async (id: string) => (await house.run(['attach', id])).stdout

/** Another door goes on with a session that lies in a file. */
async function moveAway(id: string): Promise<void> {
  const link = await openLink(server.server, { invocation: await house.invocation() })
  onTestFinished(() => link.close())
  const by = { kind: 'person', id: 'owner' } as const
  const title = () => link.log.admit(id, { type: 'title-set', key: 'title', by, title: 'from another door' })
  await vi.waitFor(title, { timeout: 90_000, interval: 100 })
}

test('a run goes on with a session that has moved where it is now, however it is named', async () => {
  await say('--session', 'moving', 'begun in a file')
  await moveAway('moving')
  const left = readFileSync(fileOf('moving'), 'utf8')
  expect(left).toContain('"session-move"')
  const named = await say('--session', 'moving', 'by its id')
  if (named.stdout === '') expect([named.code, named.stdout]).toEqual([0, 'Two.\n'])
  expect(named.stderr).toContain('kept by the server')
  expect(await say('--session', fileOf('moving'), 'by its file')).toMatchObject({ code: 0, stdout: 'Three.\n' })
  expect(await say('--resume', 'mov', 'by its beginning')).toMatchObject({ code: 0, stdout: 'Four.\n' })
  const latest = await say('--continue', 'as the latest', '--json')
  expect(JSON.parse(latest.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'result',
    text: 'Five.',
    session: 'moving',
  })
  expect(readFileSync(fileOf('moving'), 'utf8')).toBe(left)
  expect((await house.run(['replay', 'moving'])).stdout).toContain('as the latest')
  expect((await house.run(['replay', fileOf('moving')])).stdout).not.toContain('as the latest')
  expect(await said('moving')).toMatch(
    /begun in a file[\s\S]*by its id[\s\S]*by its file[\s\S]*as the latest[\s\S]*Five\./,
  )
})

test('what is begun by a run lies in a file, also where a server runs', async () => {
  const { code, stderr } = await say('--session', 'fresh', 'hello')
  expect([code, stderr]).toEqual([0, ''])
  expect(readFileSync(fileOf('fresh'), 'utf8')).toContain('hello')
})

test('where no server runs, a session that has moved says how to go on with it', async () => {
  await server.stop()
  const english = await say('--resume', 'moving', 'and now?', '--json')
  expect(english.code).toBe(1)
  expect(JSON.parse(english.stdout)).toMatchObject({ type: 'error', code: 'log-moved' })
  expect(english.stderr).toContain('start "maru serve", then go on with "maru attach moving"')
  const korean = await say('--session', 'moving', '그리고?', '--lang', 'ko')
  expect(korean.code).toBe(1)
  expect(korean.stderr).toContain('"maru serve"를 시작한 뒤 "maru attach moving"로 이어 가십시오')
  server = await house.serve()
})
