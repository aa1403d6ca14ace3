import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyLog } from '../../src/replay/verify-log.ts'
import { run } from '../run.ts'
import { createHouse, talk, wordsOf } from './talk.ts'

const call = (tool: string, args: { [name: string]: string }) => ({ call: tool, args })

test('several things can be said, one after another, in one session that verifies', async () => {
  const { conversation, heard, idle, model } = await talk({
    script: [{ reply: [{ text: 'Hello.' }] }, { reply: [{ text: 'Again.' }], expect: { text: 'Hello.' } }],
  })
  await conversation.say('hi', 'steer')
  await idle()
  await conversation.say('hi again', 'steer')
  await idle()
  expect(wordsOf(heard)).toEqual(['› hi', '‹ Hello.', '› hi again', '‹ Again.'])
  expect(heard.facts.map(({ record: { seq } }) => seq)).toEqual(heard.facts.map((_fact, at) => at + 1))
  expect(heard.states).toEqual(['working', 'idle', 'working', 'idle'])
  expect(model.problems.map(({ message }) => message)).toEqual([])
  const { directory, id } = conversation.session
  await conversation.close()
  expect(await verifyLog(join(directory, `${id}.jsonl`))).toEqual({ requests: 2, adapted: 2 })
})

test('what is said while it works goes with the next request when it steers, and gets its own run when it queues', async () => {
  const { conversation, heard, idle, until, model, repo } = await talk({
    script: [
      { reply: [call('RunCommand', { command: 'touch begun; while [ ! -e go ]; do sleep 0.02; done' })] },
      { reply: [{ text: 'Both.' }], expect: { text: 'and in blue', lacks: 'and then sleep' } },
      { reply: [{ text: 'Slept.' }], expect: { text: 'and then sleep' } },
    ],
    args: ['--yes'],
  })
  await conversation.say('paint it', 'steer')
  await until(() => heard.facts.some(({ record }) => record.type === 'tool-start'))
  await conversation.say('and then sleep', 'queue')
  await conversation.say('and in blue', 'steer')
  writeFileSync(join(repo, 'go'), '')
  await idle()
  expect(wordsOf(heard).filter((line) => line.startsWith('‹') && line.length > 2)).toEqual(['‹ Both.', '‹ Slept.'])
  const runs = heard.facts.flatMap(({ record }) => (record.type === 'run-end' ? [record.reason] : []))
  expect(runs).toEqual(['done', 'done'])
  expect(model.problems.map(({ message }) => message)).toEqual([])
})

test('an interrupt ends a running command with its children, and the session goes on', async () => {
  const seconds = `${process.pid}.${Date.now()}`
  const { conversation, heard, idle, until, model } = await talk({
    script: [
      { reply: [call('RunCommand', { command: `sleep ${seconds} & echo begun; wait` })] },
      { reply: [{ text: 'Fine.' }], expect: { text: '[The user interrupted here.]' } },
    ],
    args: ['--yes'],
  })
  const isSleeping = () => spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.includes(`sleep ${seconds}`)
  await conversation.say('wait', 'steer')
  await until(() => heard.live.some((event) => event.type === 'tool-progress'))
  expect(isSleeping()).toBe(true)
  await conversation.interrupt()
  expect(isSleeping()).toBe(false)
  expect(heard.facts.at(-1)?.record).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  expect(heard.facts.some(({ record }) => record.type === 'interrupt')).toBe(true)
  await idle()
  await conversation.say('go on', 'steer')
  await idle()
  expect(wordsOf(heard).at(-1)).toBe('‹ Fine.')
  expect(model.problems.map(({ message }) => message)).toEqual([])
})

test('an interrupt stops an answer that has not begun, also in the moment of asking, and none at rest', async () => {
  const { conversation, heard, idle, until } = await talk({
    // By what was said: what is stopped in the moment of asking may have reached the model, or not.
    script: ({ view }) =>
      view.texts.at(-1)?.includes('once more')
        ? { reply: [{ text: 'now' }] }
        : { reply: [{ text: 'early' }, { text: 'late' }], delivery: { deltaSize: 5, deltaDelayMs: 60_000 } },
  })
  await conversation.interrupt()
  await conversation.say('hurry', 'steer')
  await until(() => heard.live.some((event) => event.type === 'text-delta'))
  await conversation.interrupt()
  await idle()
  expect(heard.facts.at(-1)?.record).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  await conversation.say('and now', 'steer')
  await conversation.interrupt()
  await idle()
  expect(heard.facts.at(-1)?.record).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  await conversation.say('once more', 'steer')
  await idle()
  expect(wordsOf(heard).at(-1)).toBe('‹ now')
})

test('an approval is asked of the person: yes runs it, no says why to the model', async () => {
  const { conversation, heard, idle, next, repo } = await talk({
    script: [
      {
        reply: [
          call('WriteFile', { path: 'a.txt', content: 'a\n' }),
          call('WriteFile', { path: 'b.txt', content: 'b\n' }),
        ],
      },
      { reply: [{ text: 'So be it.' }], expect: { toolResult: 'Do this instead: c.txt' } },
    ],
  })
  await conversation.say('write', 'steer')
  await conversation.approve(await next('approval-ask'), { option: 'allow' })
  await conversation.approve(await next('approval-ask'), { option: 'deny', words: 'Do this instead: c.txt' })
  await idle()
  expect(wordsOf(heard).at(-1)).toBe('‹ So be it.')
  expect([existsSync(join(repo, 'a.txt')), existsSync(join(repo, 'b.txt'))]).toEqual([true, false])
})

test('a question is answered; cancelling is an answer', async () => {
  const ask = (question: string) => ({ call: 'AskUser', args: { question, options: ['red', 'blue'] } })
  const { conversation, heard, idle, next } = await talk({
    script: [
      { reply: [ask('Which colour?'), ask('And which other?')] },
      { reply: [{ text: 'Blue.' }], expect: { toolResult: 'blue' } },
    ],
  })
  await conversation.say('paint', 'steer')
  const first = await next('question-ask')
  await conversation.answer(first.questionId, { kind: 'option', option: 'blue' })
  const second = await next('question-ask')
  await conversation.answer(second.questionId, { kind: 'cancel' })
  await idle()
  expect(wordsOf(heard).at(-1)).toBe('‹ Blue.')
})

test('another model is asked from the next request on, with what it can take, and a mode holds at once', async () => {
  const { conversation, heard, idle, next, model, repo } = await talk({
    script: [
      { reply: [call('WriteFile', { path: 'a.txt', content: 'a\n' })], expect: { model: 'scripted' } },
      { reply: [call('WriteFile', { path: 'b.txt', content: 'b\n' })], expect: { model: 'claude-haiku-5-5' } },
      { reply: [{ text: 'Done.' }], expect: { model: 'claude-haiku-5-5' } },
    ],
  })
  const before = conversation.usage().context.limit
  await conversation.say('write', 'steer')
  const ask = await next('approval-ask')
  await conversation.change({ model: 'claude-haiku-5-5', mode: 'yes', effort: 'low' })
  expect(conversation.settings).toMatchObject({ model: 'claude-haiku-5-5', mode: 'yes', effort: 'low' })
  await conversation.approve(ask, { option: 'allow' })
  await idle()
  // Nothing was asked about the second file.
  expect(heard.facts.filter(({ record }) => record.type === 'approval-ask')).toHaveLength(1)
  expect(readFileSync(join(repo, 'b.txt'), 'utf8')).toBe('b\n')
  expect(model.requests.map(({ body }) => (body as { output_config?: unknown }).output_config)).toEqual([
    undefined,
    { effort: 'low' },
    { effort: 'low' },
  ])
  expect(model.problems.map(({ message }) => message)).toEqual([])
  expect(conversation.usage().context.limit).toBeGreaterThanOrEqual(before)
})

test('what was chosen in a session holds when it is opened again, unless a flag says otherwise', async () => {
  const house = await createHouse({
    script: [
      { reply: [{ text: 'One.' }], expect: { model: 'claude-haiku-5-5' } },
      { reply: [{ text: 'Two.' }], expect: { model: 'claude-haiku-5-5' } },
      { reply: [{ text: 'Three.' }], expect: { model: 'scripted' } },
      { reply: [{ text: 'Four.' }], expect: { model: 'claude-haiku-5-5' } },
    ],
  })
  const first = await house.open(['--mode', 'auto'])
  await first.conversation.change({ model: 'claude-haiku-5-5', mode: 'read-only' })
  await first.conversation.say('1', 'steer')
  await first.idle()
  const id = first.conversation.sessionId
  await first.conversation.close()
  const second = await house.open([], { resume: id })
  expect(second.conversation.settings).toMatchObject({ model: 'claude-haiku-5-5', mode: 'read-only' })
  await second.conversation.say('2', 'steer')
  await second.idle()
  await second.conversation.close()
  const third = await house.open(['--mode', 'yes', '--model', 'scripted'], { resume: id })
  expect(third.conversation.settings).toMatchObject({ model: 'scripted', mode: 'yes' })
  await third.conversation.say('3', 'steer')
  await third.idle()
  expect(wordsOf(third.heard)).toEqual(['› 1', '‹ One.', '› 2', '‹ Two.', '› 3', '‹ Three.'])
  expect(third.heard.facts.filter(({ isPast }) => !isPast)[0]?.record).toMatchObject({ type: 'input-admit' })
  await third.conversation.close()
  const { env } = third.invocation
  expect(await run(['run', '--resume', id, '--repo', house.repo, '4'], { env })).toMatchObject({
    stdout: 'Four.\n',
    code: 0,
  })
  expect(house.model.problems.map(({ message }) => message)).toEqual([])
})

test('a mode that there is not is refused; a model that nobody knows is used with a remark', async () => {
  const { conversation, heard } = await talk({ script: [] })
  await expect(conversation.change({ mode: 'maybe' as 'ask' })).rejects.toThrow('there is no "maybe"')
  await conversation.change({ model: 'claude-haiku-5-6' })
  expect(heard.notices).toEqual([
    'claude-haiku-5-6 is not in the list of known models (did you mean claude-haiku-5-5?); it is used all the same',
  ])
  expect(conversation.settings).toMatchObject({ model: 'claude-haiku-5-6', mode: 'ask' })
})

test('what was used is added up over runs, and the context is as the vendor counted it', async () => {
  const usage = (input: number, output: number) => ({ input, output, cacheRead: 100 })
  const { conversation, idle } = await talk({
    script: [
      { reply: [{ text: 'a' }], usage: usage(1_000, 10) },
      { reply: [{ text: 'b' }], usage: usage(1_200, 20) },
    ],
    args: ['--model', 'claude-haiku-5-5'],
  })
  for (const words of ['1', '2']) {
    await conversation.say(words, 'steer')
    await idle()
  }
  const { tokens, money, context } = conversation.usage()
  expect(tokens).toMatchObject({ input: 2_200, output: 30, cacheRead: 200 })
  expect(money).toBeCloseTo((2_000 * 0.1 + 200 * 0.01 + 30 * 0.5) / 1e6, 9)
  expect(context).toEqual({ tokens: 1_220, limit: 100_000 })
})

test('a session in which nothing was said leaves nothing behind', async () => {
  const { conversation, path } = await talk({ script: [] })
  await conversation.close()
  await conversation.close()
  expect(readdirSync(join(path, 'home', 'sessions')).filter((name) => name.endsWith('.jsonl'))).toEqual([])
})

test('closing while it works ends the run and leaves a log that can be gone on with', async () => {
  const house = await createHouse({
    script: [
      { reply: [{ text: 'early' }, { text: 'late' }], delivery: { deltaSize: 5, deltaDelayMs: 60_000 } },
      { reply: [{ text: 'Here.' }] },
    ],
  })
  const first = await house.open()
  await first.conversation.say('1', 'steer')
  await first.until(() => first.heard.live.some((event) => event.type === 'text-delta'))
  const id = first.conversation.sessionId
  await first.conversation.close()
  const second = await house.open([], { resume: id })
  expect(second.heard.facts.at(-1)?.record).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  expect(second.heard.facts.every(({ isPast }) => isPast)).toBe(true)
  await second.conversation.say('2', 'steer')
  await second.idle()
  expect(wordsOf(second.heard).at(-1)).toBe('‹ Here.')
})

test('an approval that an earlier process waited for is answered here, and its run goes on', async () => {
  const house = await createHouse({
    script: [
      { reply: [call('WriteFile', { path: 'a.txt', content: 'a\n' })] },
      { reply: [{ text: 'Written.' }], expect: { toolResult: 'ok' } },
    ],
  })
  const first = await house.open()
  await first.conversation.say('write', 'steer')
  const ask = await first.next('approval-ask')
  const { directory, id } = first.conversation.session
  // As if that process had been killed: its log as far as it came.
  const copy = join(house.path, 'killed.jsonl')
  writeFileSync(copy, readFileSync(join(directory, `${id}.jsonl`)))
  await first.conversation.close()
  const second = await house.open([], { session: copy })
  expect(second.conversation.isLeftOpen).toBe(true)
  expect(second.heard.facts.at(-1)?.record).toEqual(ask)
  await second.conversation.approve(ask, { option: 'allow' })
  await second.idle()
  expect(wordsOf(second.heard).at(-1)).toBe('‹ Written.')
  expect(readFileSync(join(house.repo, 'a.txt'), 'utf8')).toBe('a\n')
})
