import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlainDoor } from './harness.ts'

const answer = (text: string) => ({ reply: [{ text }] })
const touch = { reply: [{ call: 'RunCommand', args: { command: 'echo hi > new.txt' } }] }

test('everything is said in whole lines, in order, and nothing moves the cursor', async () => {
  const at = await openPlainDoor({ script: [touch, answer('**Made.**\n\nLook at `new.txt`.')] })
  await at.until('› ')
  at.door.line('make it')
  await at.until('or say why not: ')
  at.door.line('y')
  await at.until('Look at')
  await at.until('new.txt`.\n› ')
  expect(await readFile(join(at.repo, 'new.txt'), 'utf8')).toBe('hi\n')
  const text = at.text().replaceAll(/[\d.]+ m?s\b/g, 'N ms')
  expect(text.slice(text.indexOf('›'))).toBe(
    [
      '› May RunCommand do this?',
      '  $ echo hi > new.txt',
      '  asked because output goes to new.txt',
      '  always here = {"decision":"allow","path":"new.txt","use":"write"}',
      '  always here = {"decision":"allow","program":"echo","args":[">","new.txt"]}',
      '\x07Allow this? (y/N), a = always, w = why, or say why not: \n[tool] RunCommand command=echo hi > new.txt · ok · exit 0 · N ms',
      '  asked because: output goes to new.txt → allow by owner@terminal',
      '',
      'Made.',
      '',
      'Look at `new.txt`.',
      '› ',
    ].join('\n'),
  )
})

test('what is neither yes nor no is why not, in the person’s own words', async () => {
  const at = await openPlainDoor({ script: [touch, answer('I see.')], lang: 'ko' })
  await at.until('› ')
  at.door.line('해 줘')
  await at.until('거절하는 까닭: ')
  at.door.line('w')
  await at.until('built-in/')
  at.door.line('다른 이름으로')
  await at.until('I see.')
  expect(at.model.requests[1]?.view.toolResults[0]?.text).toContain('다른 이름으로')
})

test('a question is answered by its number, in words, or not at all', async () => {
  const ask = (allowFreeText: boolean) => ({
    reply: [{ call: 'AskUser', args: { question: 'Which?', options: ['red', 'green'], allowFreeText } }],
  })
  const at = await openPlainDoor({ script: [ask(false), ask(true), ask(false), answer('Thanks.')] })
  await at.until('› ')
  at.door.line('go')
  await at.until('A number from 1 to 2')
  at.door.line('2')
  await at.until('owner@terminal: green')
  await at.until('green\nWhich?')
  at.door.line('blue')
  await at.until('blue\nWhich?')
  at.door.line('')
  await at.until('Thanks.')
  expect(at.text()).toContain('answered by owner@terminal: cancelled')
})

test('a backslash at the end of a line goes on in the next', async () => {
  const at = await openPlainDoor({ script: [answer('Two lines.')] })
  await at.until('› ')
  at.door.line('first\\')
  at.door.line('second')
  await at.until('Two lines.')
  expect(at.model.requests[0]?.view.texts.at(-1)).toContain('first\nsecond')
})

test('Ctrl-C interrupts what runs, then says how to leave, then leaves', async () => {
  const sleep = { reply: [{ call: 'RunCommand', args: { command: 'sleep 600' } }] }
  const at = await openPlainDoor({ script: [sleep], args: ['--mode', 'yes'] })
  await at.until('› ')
  at.door.line('wait')
  await at.door.ready.then((conversation) => expect(conversation.state).toBeDefined())
  while (at.model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  at.door.interrupt()
  await at.until('ended: interrupted')
  await at.until('interrupted\n› ')
  at.door.interrupt()
  await at.until('Ctrl-C once more to leave')
  at.door.interrupt()
  expect(await at.ended).toBe(0)
  expect(at.text()).toMatch(/once more to leave\n› \n\ngo on with this: .*\n$/)
})
