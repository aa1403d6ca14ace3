import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEarlierInputs } from '../../src/agent/earlier-inputs.ts'
import { openDoor } from './harness.ts'

const answer = (text: string) => ({ reply: [{ text }] })
const call = (tool: string, args: { [name: string]: string | string[] | boolean }) => ({
  reply: [{ call: tool, args }],
})

test('the editor is there before the session is, and what is typed by then is not lost', async () => {
  const at = await openDoor({ script: [answer('Hello.')] })
  at.type('hi')
  at.press('enter')
  await at.until(() => at.printed().includes('› hi\n\nHello.'))
})

test('words, Markdown and calls are printed once each, in the order in which they happened', async () => {
  const at = await openDoor({
    files: { 'a.txt': 'one\n' },
    script: [
      { reply: [{ text: 'I **look** first.' }, { call: 'ReadFile', args: { path: 'a.txt' } }] },
      answer('# Done\n\nIt says `one`.'),
    ],
  })
  at.type('read it')
  at.press('enter')
  await at.until((text) => text.includes('It says') && text.includes('What is to be done?'))
  const text = at.printed().replace(/ · [\d.]+ m?s/, ' · N ms')
  expect(text.slice(text.indexOf('›'))).toBe(
    '› read it\n\nI look first.\n\n[tool] ReadFile path=a.txt · ok · N ms\n\n# Done\n\nIt says `one`.',
  )
})

test('a small change is shown below its call, a big one is counted and shown by Ctrl-O', async () => {
  const small = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch'
  const big = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')
  const at = await openDoor({
    args: ['--mode', 'yes'],
    files: { 'a.txt': 'one\n' },
    script: [call('ApplyPatch', { patch: small }), call('WriteFile', { path: 'b.txt', content: big }), answer('Done.')],
  })
  at.type('go')
  at.press('enter')
  await at.until('Done.')
  expect(at.printed()).toMatch(/\[tool\] ApplyPatch patch=\(6 lines\) · ok[\s\S]*~ a\.txt[\s\S]*-.*one[\s\S]*\+.*two/)
  expect(at.printed()).toContain('60 lines added, 0 removed · Ctrl-O shows them')
  expect(at.printed()).not.toContain('line 59')
  at.press('o', { ctrl: true })
  await at.until('line 59')
})

test('an approval shows what would be done, why it is asked, and what "always" would write; y lets it run', async () => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('Done.')] })
  at.type('go')
  at.press('enter')
  await at.until('y yes')
  expect(at.drawn()).toContain('May RunCommand do this?')
  expect(at.drawn()).toContain('$ echo hi > new.txt')
  expect(at.drawn()).toContain('asked because ')
  expect(at.screen.frame.cursor).toBeUndefined()
  at.type('w')
  await at.until('rule: built-in/')
  at.type('ㅛ')
  await at.until('Done.')
  expect(await readFile(join(at.repo, 'new.txt'), 'utf8')).toBe('hi\n')
  expect(at.printed()).toContain('allow by owner@terminal')
})

test('on a small terminal what would be done is seen, and what does not fit is counted', async () => {
  const write = call('WriteFile', { path: 'new.ts', content: 'export const a = 1\nexport const b = 2\n' })
  const at = await openDoor({ script: [write, answer('Made.')], size: [40, 12] })
  at.type('make it')
  at.press('enter')
  await at.until('y yes')
  expect(at.drawn()).toContain('1 +export const a = 1\n  2 +export const b = 2')
  expect(at.drawn()).toMatch(/… \d+ more lines · Ctrl-O shows all/)
  expect(at.screen.frame.lines.length).toBeLessThanOrEqual(12)
  at.press('o', { ctrl: true })
  await at.until((text) => /"use": ?"write"/.test(text.replaceAll(/\s+/g, '')))
  at.type('y')
  await at.until('Made.')
})

test.each([['n'], ['ㅜ'], ['enter'], ['escape']])('%s means no, and the run goes on', async (key) => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('As you wish.')] })
  at.type('go')
  at.press('enter')
  await at.until('y yes')
  if (key.length === 1) at.type(key)
  else at.press(key)
  await at.until('As you wish.')
  expect(at.printed()).toContain('RunCommand command=echo hi > new.txt · denied')
  await expect(readFile(join(at.repo, 'new.txt'))).rejects.toThrow()
})

test('an edited command is proposed to the model, and never runs by itself', async () => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('I will.')] })
  at.type('go')
  at.press('enter')
  await at.until('y yes')
  at.type('e')
  await at.until('Enter proposes this instead')
  expect(at.screen.frame.cursor).toBeDefined()
  at.type(' && cat new.txt')
  at.press('enter')
  await at.until('I will.')
  const [, second] = at.model.requests
  expect(second?.view.toolResults[0]?.text).toContain('Do this instead: echo hi > new.txt && cat new.txt')
  await expect(readFile(join(at.repo, 'new.txt'))).rejects.toThrow()
})

test('an edit that changes nothing is no answer', async () => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('Done.')] })
  at.type('go')
  at.press('enter')
  await at.until('y yes')
  at.type('e')
  await at.until('Enter proposes this instead')
  at.press('enter')
  await at.until('y yes')
  expect(at.model.requests).toHaveLength(1)
})

test('who is in the middle of a word does not answer what has just come up', async () => {
  const at = await openDoor({
    script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('Done.')],
    // No time goes by between two letters, however busy the machine is.
    now: () => 0,
  })
  at.type('go')
  at.press('enter')
  at.type('why')
  // Typed on, without a pause, until the question is there and one letter longer.
  while (!at.drawn().includes('y yes')) {
    at.type('y')
    await new Promise((resolve) => setImmediate(resolve))
  }
  at.type('y')
  await at.until('what you were typing is kept')
  expect(at.model.requests).toHaveLength(1)
})

test('what is asked is taken away when the run is stopped from elsewhere', async () => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' })] })
  at.type('go')
  at.press('enter')
  await at.until('y yes')
  await (await at.door.ready).interrupt()
  await at.until((text) => text.includes('ended: interrupted') && !text.includes('y yes'))
  expect(at.screen.frame.cursor).toBeDefined()
})

test('several things are asked one after another, in their order', async () => {
  const commands = ['echo 1 > one', 'echo 2 > two']
  const at = await openDoor({
    script: [{ reply: commands.map((command) => ({ call: 'RunCommand', args: { command } })) }, answer('Done.')],
  })
  at.type('go')
  at.press('enter')
  await at.until('$ echo 1 > one')
  at.type('y')
  await at.until('$ echo 2 > two')
  at.type('n')
  await at.until('Done.')
  expect(at.printed()).toMatch(/echo 1 > one · ok[\s\S]*echo 2 > two · denied/)
})

test('a text comes back from the editor of one’s own', async () => {
  const at = await openDoor({ script: [answer('Read.')] })
  at.outside.text = ' and more'
  at.type('some')
  at.press('g', { ctrl: true })
  await at.until('› some and more')
  at.press('z', { ctrl: true })
  expect(at.outside.suspensions).toBe(1)
})

test('a question is a list to move through, with own words where they are allowed; cancelling is an answer', async () => {
  const options = ['red', 'green']
  const ask = (allowFreeText: boolean) => call('AskUser', { question: 'Which colour?', options, allowFreeText })
  const at = await openDoor({ script: [ask(false), ask(true), ask(false), answer('Thanks.')] })
  at.type('go')
  at.press('enter')
  await at.until('Maru asks:')
  at.press('down')
  at.press('enter')
  await at.until('in your own words')
  at.press('down')
  at.press('down')
  at.type('파랑')
  at.press('enter')
  await at.until((text) => text.includes('terminal: 파랑') && text.includes('Esc cancel'))
  at.press('escape')
  await at.until('Thanks.')
  const results = at.model.requests.at(-1)?.view.toolResults.map(({ text }) => text) ?? []
  expect(results[0]).toContain('green')
  expect(results[1]).toContain('파랑')
  expect(at.printed()).toContain('answered by owner@terminal: cancelled')
})

test('Enter steers the run under way, Alt-Enter waits until it is done', async () => {
  const at = await openDoor({
    script: [
      call('RunCommand', { command: 'until [ -e go ]; do sleep 0.05; done' }),
      answer('First.'),
      answer('Second.'),
    ],
    args: ['--mode', 'yes'],
  })
  at.type('begin')
  at.press('enter')
  await at.until('running')
  at.type('later')
  at.press('enter', { alt: true })
  at.type('and mind this')
  at.press('enter')
  await at.until('› and mind this (goes with the next step)')
  expect(at.drawn()).toContain('› later (waits until it is done)')
  const { writeFile } = await import('node:fs/promises')
  await writeFile(join(at.repo, 'go'), '')
  await at.until('Second.')
  expect(at.model.requests.map(({ view }) => view.texts.at(-1))).toEqual([
    expect.stringContaining('begin'),
    expect.stringContaining('and mind this'),
    expect.stringContaining('later'),
  ])
  const printed = at.printed()
  const order = ['› begin', '[tool] RunCommand', '› and mind this', 'First.', '› later', 'Second.']
  expect(order.map((part) => printed.indexOf(part)).toSorted((one, other) => one - other)).toEqual(
    order.map((part) => printed.indexOf(part)),
  )
})

test('Esc interrupts what runs at once, keeps what was typed, and the conversation goes on', async () => {
  const at = await openDoor({
    script: [call('RunCommand', { command: 'echo begun; sleep 600' }), answer('Here again.')],
    args: ['--mode', 'yes'],
  })
  at.type('begin')
  at.press('enter')
  await at.until('│ begun')
  at.type('draft')
  at.press('escape')
  await at.until('ended: interrupted')
  expect(at.drawn()).toContain('› draft')
  at.press('enter')
  await at.until('Here again.')
})

test('Ctrl-C clears, then says how to leave, then leaves', async () => {
  const at = await openDoor({ script: [] })
  at.type('half a thought')
  at.press('c', { ctrl: true })
  await at.until((text) => !text.includes('half a thought'))
  // Another hint is no warning.
  at.press('o', { ctrl: true })
  await at.until('there is no call to show')
  at.press('c', { ctrl: true })
  await at.until('Ctrl-C once more to leave')
  at.press('c', { ctrl: true })
  expect(await at.ended).toBe(0)
})

test('Ctrl-D leaves while something runs, and nothing is left half done', async () => {
  const at = await openDoor({
    script: [call('RunCommand', { command: 'echo begun; sleep 600' })],
    args: ['--mode', 'yes'],
  })
  at.type('begin')
  at.press('enter')
  await at.until('│ begun')
  at.press('d', { ctrl: true })
  expect(await at.ended).toBe(0)
  expect(at.printed()).toContain('· interrupted')
})

test('what was said is there again when the session is opened again, and its words are in the history', async () => {
  const first = await openDoor({ script: [answer('The *first* answer.')] })
  first.type('remember me')
  first.press('enter')
  await first.until('The first answer.')
  first.press('d', { ctrl: true })
  await first.ended
  const second = await openDoor({ script: [], home: first.home, args: ['--repo', first.repo, '--continue'] })
  await second.until('The first answer.')
  expect(second.printed()).toContain('› remember me')
  second.press('up')
  await second.until((text) => text.split('› remember me').length === 3)
})

test('what was said in earlier sessions of the repository is in the history of a new one, newest first', async () => {
  const first = await openDoor({ script: [answer('One.'), answer('Two.')] })
  for (const [words, said] of [
    ['the first task', 'One.'],
    ['둘째 일', 'Two.'],
  ] as const) {
    first.type(words)
    first.press('enter')
    await first.until(said)
  }
  first.press('d', { ctrl: true })
  await first.ended
  const second = await openDoor({ script: [answer('Three.')], home: first.home, args: ['--repo', first.repo] })
  await second.door.ready
  second.press('up')
  await second.until('› 둘째 일')
  second.press('up')
  await second.until('› the first task')
  second.press('down')
  second.press('down')
  await second.until('› What is to be done?')
  const elsewhere = await openDoor({ script: [], home: first.home })
  const { sessionId } = await elsewhere.door.ready
  expect(await readEarlierInputs(elsewhere.invocation, sessionId)).toEqual([])
})

test('words that reach nobody come back to the editor', async () => {
  const held = await openDoor({ script: [call('RunCommand', { command: 'echo begun; sleep 600' })] })
  held.type('hold it')
  held.press('enter')
  await held.until('│ begun')
  const second = await openDoor({ script: [], home: held.home, args: ['--repo', held.repo, '--continue'] })
  await second.until('› hold it')
  second.type('also me')
  second.press('enter')
  await second.until('is being written')
  expect(second.drawn()).toContain('› also me')
})

test('a tall prompt leaves room for what led to it; all of it is shown by Ctrl-O', async () => {
  const content = Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join('')
  const write = { reply: [{ text: 'Because you asked.' }, { call: 'WriteFile', args: { path: 'tall.txt', content } }] }
  const at = await openDoor({ script: [write, answer('Done.')] })
  at.type('write it')
  at.press('enter')
  await at.until('y yes')
  expect(at.screen.frame.lines.length).toBeLessThan(22)
  expect(at.drawn()).toContain('[tool] WriteFile path=tall.txt')
  expect(at.drawn()).toMatch(/… \d+ more lines · Ctrl-O shows all/)
  at.press('o', { ctrl: true })
  await at.until('line 59')
  at.type('n')
  await at.until('Done.')
})

test('an earlier session is chosen from a list; whoever leaves instead is not kept waiting', async () => {
  const first = await openDoor({ script: [answer('One.')] })
  first.type('the first task')
  first.press('enter')
  await first.until('One.')
  first.press('d', { ctrl: true })
  await first.ended
  const again = { script: [], home: first.home, args: ['--repo', first.repo, '--resume'] }
  const second = await openDoor(again)
  await second.until('the first task')
  second.press('enter')
  await second.until('One.')
  second.press('d', { ctrl: true })
  await second.ended
  const third = await openDoor(again)
  await third.until('the first task')
  third.door.leave()
  expect(await third.ended).toBe(0)
})

test('the bell rings for a person who looks elsewhere', async () => {
  const at = await openDoor({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('Done.')] })
  at.type('go')
  at.press('enter')
  at.door.key({ kind: 'focus', isFocused: false })
  await at.until('y yes')
  expect(at.screen.notices).toEqual(['Maru waits for your answer'])
  at.type('y')
  await at.until('Done.')
  await at.screen.until(
    () => at.screen.notices.length === 2,
    () => 'no second bell',
  )
  expect(at.screen.notices[1]).toBe('Maru is done')
})

test('the whole of it speaks Korean, and changes its language while it runs', async () => {
  const at = await openDoor({
    lang: 'ko',
    script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('끝났습니다.')],
  })
  at.type('해 줘')
  at.press('enter')
  await at.until('y 예')
  expect(at.drawn()).toContain('RunCommand를 허용합니까?')
  expect(at.drawn()).toMatch(/모드 ask · .*토큰/)
  at.type('ㅛ')
  await at.until('끝났습니다.')
  at.type('/lang en')
  at.press('enter')
  await at.until('mode ask')
})

test('a slash that is no command says so and gives the words back', async () => {
  const at = await openDoor({ script: [] })
  at.type('/hlep')
  at.press('enter')
  await at.until('/help')
  await at.until((text) => text.includes('› /hlep'))
})

test('a path is no command', async () => {
  const at = await openDoor({ script: [answer('I see.')] })
  at.type('/etc/hosts is what?')
  at.press('enter')
  await at.until('I see.')
})

test('escape sequences of the model, of tools and of names never reach the terminal', async () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\x9b31m\u202e'
  const at = await openDoor({
    args: ['--mode', 'yes'],
    files: { 'a.txt': `${evil}\n` },
    script: [
      { reply: [{ text: `Look: ${evil}` }, { call: 'RunCommand', args: { command: `cat a.txt # ${evil}` } }] },
      call('AskUser', { question: evil, options: [`one ${evil}`, 'two'] }),
      answer('Done.'),
    ],
  })
  at.type('go')
  at.press('enter')
  await at.until('Maru asks')
  const whole = () => `${at.printed()}\n${at.drawn()}`
  expect(whole().match(/(?!\n)\p{Cc}|\u202e/u)).toBeNull()
  at.press('escape')
  await at.until('Done.')
  at.press('o', { ctrl: true })
  await at.until((text) => text.split('AskUser').length > 2)
  expect(whole().match(/(?!\n)\p{Cc}|\u202e/u)).toBeNull()
})

test('a screen that cannot be drawn gives the terminal back and says why', async () => {
  const at = await openDoor({ script: [] })
  await at.until('mode ask')
  Object.defineProperty(at.screen, 'columns', {
    get() {
      throw new Error('no such screen')
    },
  })
  at.type('x')
  await expect(at.ended).rejects.toThrow('no such screen')
})
