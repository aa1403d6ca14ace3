import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { conversation, makePlace } from './place.ts'

test('after a reset the model knows nothing, the log everything, and a fork from before it everything too', async () => {
  const place = await makePlace()
  await place.work([{ reply: [{ text: 'The word is 바나나.' }] }], '--session', 's', 'Remember 바나나')
  const before = readFileSync(place.fileOf('s'), 'utf8')
  const last = place.facts('s').length
  expect((await place.maru('reset')).stdout).toBe('the model has forgotten 1 session; the log keeps everything\n')
  expect(readFileSync(place.fileOf('s'), 'utf8').startsWith(before)).toBe(true)
  const after = await place.work([{ reply: [{ text: 'No idea.' }] }], '--continue', 'Which word?')
  expect(JSON.stringify(after.requests[0]?.body)).not.toContain('바나나')
  expect(JSON.stringify(after.requests[0]?.body)).toContain('Which word?')
  expect(place.facts('s').at(-1)).toMatchObject({ type: 'run-end', reason: 'done' })
  expect((await place.maru('replay', '--verify', 's')).code).toBe(0)
  const { id } = JSON.parse((await place.maru('sessions', 'fork', 's', '--at', String(last), '--json')).stdout)
  const forked = await place.work([{ reply: [{ text: '바나나.' }] }], '--resume', id, 'Which word?')
  expect(JSON.stringify(forked.requests[0]?.body)).toContain('Remember 바나나')
})

test('what was under way, and what was said and not yet taken up, is laid aside', async () => {
  const place = await makePlace()
  const facts = conversation(place.repo)
  // In the middle of a call, with something waiting.
  place.put('s', [...facts.slice(0, 6), { ...facts[10], key: 'later' } as (typeof facts)[number]])
  const { stdout } = await place.maru('reset', 's', '--json')
  expect(JSON.parse(stdout)).toEqual({ reset: ['s'], left: [] })
  expect(
    place
      .facts('s')
      .slice(7)
      .map(({ type }) => type),
  ).toEqual(['tool-end', 'run-end', 'run-start', 'run-end', 'context-reset'])
  const { requests, stdout: said } = await place.work([{ reply: [{ text: 'Fresh.' }] }], '--resume', 's', 'Begin anew')
  expect(said).toBe('Fresh.\n')
  expect(requests).toHaveLength(1)
  expect((await place.maru('replay', '--verify', 's')).code).toBe(0)
})

test('reset is of the latest session, of a named one, or of all of this repository', async () => {
  const place = await makePlace()
  place.put('old', conversation(place.repo))
  place.put('new', conversation(place.repo), { at: 1_790_000_500_000 })
  place.put('far', conversation('/elsewhere'), { at: 1_790_000_900_000 })
  const reset = async (...args: string[]) => JSON.parse((await place.maru('reset', ...args, '--json')).stdout).reset
  expect(await reset()).toEqual(['new'])
  // There is nothing left to forget in it.
  expect(await reset('new')).toEqual([])
  expect(await reset('--all')).toEqual(['old'])
  expect((await place.maru('reset', 'far', '--all')).code).toBe(2)
  const empty = await makePlace()
  const { code, stderr } = await empty.maru('reset')
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no session of')])
})
