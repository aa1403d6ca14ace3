import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyLog } from '../../src/replay/verify-log.ts'
import { createHouse, type Talk, talk, wordsOf } from './talk.ts'

const write = (path: string, content: string) => ({ call: 'WriteFile', args: { path, content } })

async function say({ conversation, idle }: Talk, ...words: string[]): Promise<void> {
  for (const one of words) {
    await conversation.say(one, 'steer')
    await idle()
  }
}

async function expectVerified({ conversation }: Talk): Promise<void> {
  const { directory, id } = conversation.session
  expect(await verifyLog(join(directory, `${id}.jsonl`))).toMatchObject({ requests: expect.any(Number) })
}

test('a fork goes on from before what was said last; its parent stays as it was', async () => {
  const talking = await talk({
    script: [
      { reply: [{ text: 'A.' }] },
      { reply: [{ text: 'B.' }] },
      { reply: [{ text: 'C.' }], expect: { text: 'three', lacks: 'two' } },
      { reply: [{ text: 'D.' }], expect: { text: 'two', lacks: 'three' } },
    ],
  })
  const { conversation, heard, model } = talking
  await say(talking, 'one', 'two')
  const parent = conversation.sessionId
  const second = heard.facts.findLast(({ record }) => record.type === 'input-admit')?.record.seq
  await conversation.fork(second)
  expect(conversation.sessionId).not.toBe(parent)
  expect(heard.resets).toBe(1)
  expect(wordsOf(heard)).toEqual(['› one', '‹ A.'])
  expect(heard.facts.every(({ isPast }) => isPast)).toBe(true)
  await say(talking, 'three')
  await expectVerified(talking)
  await conversation.open(parent)
  expect(wordsOf(heard)).toEqual(['› one', '‹ A.', '› two', '‹ B.'])
  await say(talking, 'four')
  await expectVerified(talking)
  expect(model.problems.map(({ message }) => message)).toEqual([])
})

test('a fork at a turn that had called something does not make the call again', async () => {
  const talking = await talk({
    script: [
      { reply: [{ text: 'Writing.' }, write('a.txt', 'once\n')] },
      { reply: [{ text: 'Written.' }] },
      { reply: [{ text: 'Not again.' }], expect: { text: '[The user interrupted here.]' } },
    ],
    args: ['--yes'],
  })
  const { conversation, heard, model } = talking
  await say(talking, 'write')
  const turn = heard.facts.find(({ record }) => record.type === 'turn-end')?.record.seq
  await conversation.fork(turn)
  expect(conversation.isLeftOpen).toBe(false)
  await say(talking, 'go on')
  expect(heard.facts.some(({ record }) => record.type === 'tool-start')).toBe(false)
  await expectVerified(talking)
  expect(model.problems.map(({ message }) => message)).toEqual([])
  await expect(conversation.fork(9_999)).rejects.toThrow('no fact 9999')
})

test('a fresh session knows nothing of the last one, and keeps what was chosen', async () => {
  const talking = await talk({
    script: [
      { reply: [{ text: 'A.' }] },
      { reply: [{ text: 'B.' }], expect: { lacks: 'alpha', model: 'claude-haiku-5-5' } },
    ],
    args: ['--mode', 'auto'],
  })
  const { conversation, heard, model, path } = talking
  await say(talking, 'alpha')
  await conversation.change({ model: 'claude-haiku-5-5' })
  const first = conversation.sessionId
  await conversation.begin()
  expect(wordsOf(heard)).toEqual([])
  expect(conversation.usage().tokens).toEqual({ input: 0, output: 0 })
  expect(conversation.settings.mode).toBe('auto')
  await say(talking, 'two')
  expect(existsSync(join(path, 'home', 'sessions', `${first}.jsonl`))).toBe(true)
  expect(model.problems.map(({ message }) => message)).toEqual([])
})

test('a session that is not there cannot be opened, and the one that is open stays', async () => {
  const talking = await talk({ script: [{ reply: [{ text: 'A.' }] }, { reply: [{ text: 'B.' }] }] })
  const { conversation, heard } = talking
  await say(talking, 'one')
  await expect(conversation.open('no-such-session')).rejects.toThrow('no-such-session')
  expect([conversation.state, heard.resets]).toEqual(['idle', 0])
  await say(talking, 'two')
  expect(wordsOf(heard)).toEqual(['› one', '‹ A.', '› two', '‹ B.'])
})

test('a session whose vendor has no key here cannot be opened, and the one that is open stays', async () => {
  const house = await createHouse({
    script: [{ reply: [{ text: 'A.' }] }, { reply: [{ text: 'B.' }] }],
    env: { OPENAI_API_KEY: 'another-key-of-nobody' },
  })
  const rich = await house.open()
  await rich.conversation.change({ provider: 'openai', model: 'gpt-scripted' })
  await say(rich, 'one')
  await rich.conversation.close()
  const poor = await house.open([], {}, { OPENAI_API_KEY: '' })
  await expect(poor.conversation.open(rich.conversation.sessionId)).rejects.toThrow('there is no key for openai')
  expect([poor.conversation.state, poor.heard.resets]).toEqual(['idle', 0])
  await say(poor, 'two')
  expect(wordsOf(poor.heard)).toEqual(['› two', '‹ B.'])
})

test('while it works nothing else can be opened, and it says so', async () => {
  const talking = await talk({
    script: [{ reply: [{ text: 'early' }, { text: 'late' }], delivery: { deltaSize: 5, deltaDelayMs: 60_000 } }],
  })
  const { conversation, heard, until } = talking
  await conversation.say('one', 'steer')
  await until(() => heard.live.length > 0)
  for (const act of [() => conversation.begin(), () => conversation.undo(), () => conversation.compact()]) {
    await expect(act()).rejects.toThrow('it is still working')
  }
  await conversation.interrupt()
})

test('old turns are condensed when asked, with what the person wants to keep, and the session goes on and verifies', async () => {
  const long = 'The harbour is at 52.37 north. '.repeat(60)
  const talking = await talk({
    script: [
      ...['A', 'B', 'C', 'D'].map((name) => ({ reply: [{ text: `${name}: ${long}` }] })),
      { reply: [{ text: '### Goal\nSail.' }], expect: { text: 'above all: the harbour' } },
      { reply: [{ text: 'Aye.' }], expect: { text: 'Sail.' } },
    ],
    config: { contextLimit: 4_000, autoCompact: false },
  })
  const { conversation, heard, model } = talking
  await say(talking, 'one', 'two', 'three', 'four')
  const before = conversation.usage().context.tokens
  const tokens = await conversation.compact('the harbour')
  expect(tokens?.after).toBeLessThan(tokens?.before ?? 0)
  expect(conversation.usage().context.tokens).toBeLessThan(before)
  expect(heard.facts.at(-1)?.record).toMatchObject({ type: 'context-compact', asked: { focus: 'the harbour' } })
  await say(talking, 'go')
  expect(wordsOf(heard).at(-1)).toBe('‹ Aye.')
  expect(model.problems.map(({ message }) => message)).toEqual([])
  await expectVerified(talking)
})

test('what the agent changed is shown and taken back', async () => {
  const house = await createHouse({
    script: [
      { reply: [write('a.txt', 'two\n')] },
      { reply: [{ text: 'Changed.' }] },
      { reply: [{ text: 'Nothing.' }] },
    ],
    files: { 'a.txt': 'one\n' },
  })
  const talking = await house.open(['--yes'])
  const { conversation, heard } = talking
  await expect(conversation.undo()).rejects.toThrow('nothing to take back')
  await say(talking, 'change', 'and nothing')
  expect(await conversation.diff()).toMatch(/-one\n\+two/)
  const undone = await conversation.undo()
  expect(undone).toMatchObject({ task: 'change', restored: [{ path: 'a.txt' }], left: [] })
  expect(readFileSync(join(house.repo, 'a.txt'), 'utf8')).toBe('one\n')
  expect(await conversation.diff()).toBe('')
  expect(heard.facts.at(-1)?.record).toMatchObject({ type: 'files-restore' })
  await expect(conversation.undo()).rejects.toThrow('nothing to take back')
})
