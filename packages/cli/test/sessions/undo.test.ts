import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJsonlStore } from '@maru/store'
import { expect, test } from 'vitest'
import { makePlace } from './place.ts'

async function makeNote() {
  const place = await makePlace({ 'note.txt': 'before\n' })
  const write = { reply: [{ call: 'WriteFile', args: { path: 'note.txt', content: 'after\n' } }] }
  await place.work([write, { reply: [{ text: 'Written.' }] }], '--session', 'mine', 'Write it')
  return { ...place, read: () => readFileSync(join(place.repo, 'note.txt'), 'utf8') }
}

test('nothing is taken back while somebody works in the session', async () => {
  const place = await makeNote()
  const { log } = openJsonlStore({ directory: join(place.home, 'sessions'), now: Date.now })
  const lease = await log.lease('mine')
  const refused = await place.maru('undo', '--json')
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({ type: 'error', code: 'log-held' })
  expect(refused.stderr).toContain('session mine is in use elsewhere')
  expect((await place.maru('undo', '--lang', 'ko')).stderr).toContain('세션 mine을 다른 곳에서 쓰고 있어')
  expect(place.read()).toBe('after\n')
  // To say what would be done disturbs nobody.
  expect((await place.maru('undo', '--check')).code).toBe(0)
  await lease.release()
  await log.close()
  expect((await place.maru('undo')).code).toBe(0)
  expect(place.read()).toBe('before\n')
})

test('nothing is taken back that could not be written down, because the session has moved', async () => {
  const place = await makeNote()
  const { seq, at } = place.facts('mine').at(-1) ?? { seq: 0, at: 0 }
  appendFileSync(
    place.fileOf('mine'),
    `${JSON.stringify({ seq: seq + 1, at, v: 1, type: 'session-move', to: 'store' })}\n`,
  )
  const { code, stderr } = await place.maru('undo')
  expect([code, stderr]).toEqual([1, expect.stringContaining('"maru attach mine"')])
  expect(place.read()).toBe('after\n')
})
