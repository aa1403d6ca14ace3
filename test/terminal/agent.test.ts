import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { needTmux, openTerminal } from './tmux.ts'

beforeEach(needTmux)

const answer = (text: string) => ({ reply: [{ text }] })
const call = (tool: string, args: { [name: string]: string | string[] | boolean }) => ({
  reply: [{ call: tool, args }],
})
const PROMPT = '› What is to be done?'

// How long something took, and where it was, differs from run to run.
function still(rows: readonly string[]): string[] {
  const shown = rows.map((row) => row.replace(/\d+ ms/g, 'N ms').replace(/\/tmp\/\S*?\/repo/g, '~/repo'))
  while (shown.at(-1) === '') shown.pop()
  return shown
}

test('Korean is typed, mended and sent; the cursor stands where the next letter goes', async () => {
  const at = await openTerminal({ script: [answer('네, **마루**입니다.')], lang: 'ko' })
  await at.until('모드 ask')
  await at.type('안녕하세요 세계')
  await at.until('› 안녕하세요 세계')
  await at.rest()
  const typed = await at.cursor()
  // Every syllable takes two columns.
  expect(typed).toMatchObject({ column: 2 + 10 + 1 + 4, isShown: true })
  expect((await at.rows())[typed.row]).toBe('› 안녕하세요 세계')
  await at.press('BSpace')
  await at.until((rows) => rows.includes('› 안녕하세요 세'))
  await at.rest()
  expect((await at.cursor()).column).toBe(typed.column - 2)
  await at.press('Enter')
  await at.until(/마루입니다[\s\S]*^› 할 일을 적으십시오$/m)
  expect(still(await at.rest())).toEqual([
    'Maru 0.1.0 · ~/repo',
    '/ 명령 · @ 파일 · Esc 중단 · Ctrl-D 나가기',
    '',
    '› 안녕하세요 세',
    '',
    '네, 마루입니다.',
    '',
    '› 할 일을 적으십시오',
    expect.stringMatching(/^claude-\S+ · 모드 ask · \S+ 토큰 .*컨텍스트 \d+%/),
  ])
  expect(at.model.requests[0]?.view.texts.at(-1)).toContain('안녕하세요 세')
})

test('500 lines are pasted as one, sent whole, and do not flood the screen', async () => {
  const at = await openTerminal({ script: [answer('Read.')] })
  await at.until('mode ask')
  await at.type('look: ')
  await at.paste(Array.from({ length: 500 }, (_, line) => `line ${line} 한글`).join('\n'))
  await at.until('› look: [pasted 500 lines #1]')
  expect(at.model.requests).toHaveLength(0)
  await at.press('Enter')
  await at.until('Read.')
  const [request] = at.model.requests
  expect(request?.view.texts.at(-1)).toContain('look: line 0 한글\nline 1 한글\n')
  expect(request?.view.texts.at(-1)).toContain('line 499 한글')
  const all = await at.everything()
  expect(all).toContain('more lines')
  expect(all).not.toContain('line 499')
})

test('a stream that is resized on its way leaves every word once, and one live part', async () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at}.`)
  const paragraphs = Array.from({ length: 40 }, (_, at) => words.slice(10 * at, 10 * at + 10).join(' '))
  const at = await openTerminal({
    script: [{ reply: [{ text: paragraphs.join('\n\n') }], delivery: { deltaSize: 7, deltaDelayMs: 8 } }],
  })
  await at.until('mode ask')
  await at.type('talk')
  await at.press('Enter')
  // Not for one word: between two looks it may have come and gone.
  const isBehind = (word: number) => (rows: string[]) =>
    [...rows.join('\n').matchAll(/word(\d+)\./g)].some(([, shown]) => Number(shown) >= word)
  await at.until(isBehind(60), 'word60.')
  await at.resize(50, 20)
  await at.until(isBehind(150), 'word150.')
  await at.resize(120, 40)
  await at.until(isBehind(250), 'word250.')
  await at.resize(80, 24)
  await at.until('word399.')
  await at.until(PROMPT)
  const rows = await at.rest()
  expect(rows.filter((row) => row.includes('mode ask'))).toHaveLength(1)
  expect(rows.filter((row) => row.startsWith('›'))).toEqual([PROMPT])
  expect((await at.everything()).match(/word\d+\./g)).toEqual(words)
})

test('Esc ends a running command and everything it started; the conversation goes on', async () => {
  // A number of its own to be found by: others on this machine may run the same tests.
  const seconds = `600.${process.hrtime.bigint()}`
  const command = `echo $$ > pid; echo begun; sleep ${seconds} & sleep ${seconds}`
  const at = await openTerminal({
    script: [call('RunCommand', { command }), answer('Here again.')],
    args: ['--mode', 'yes'],
  })
  await at.until('mode yes')
  await at.type('begin')
  await at.press('Enter')
  await at.until('│ begun')
  await at.press('Escape')
  await at.until('ended: interrupted')
  await at.until(PROMPT)
  await at.type('still there?')
  await at.press('Enter')
  await at.until('Here again.')
  const running = readdirSync('/proc').flatMap((id) => {
    try {
      return /^\d+$/.test(id) ? [readFileSync(`/proc/${id}/cmdline`, 'utf8')] : []
    } catch {
      return []
    }
  })
  expect(running.filter((line) => line.includes(seconds))).toEqual([])
})

test('a command is approved with one key; the screens before and after', async () => {
  const at = await openTerminal({
    script: [
      { reply: [{ text: 'I make it.' }, { call: 'RunCommand', args: { command: 'echo hi > new.txt' } }] },
      answer('Made.'),
    ],
  })
  await at.until('mode ask')
  await at.type('make new.txt')
  await at.press('Enter')
  await at.until('y yes')
  expect(still(await at.rest())).toEqual([
    'Maru 0.1.0 · ~/repo',
    '/ commands · @ files · Esc interrupts · Ctrl-D leaves',
    '',
    '› make new.txt',
    '',
    'I make it.',
    '',
    '[tool] RunCommand command=echo hi > new.txt · waiting for an answer',
    '',
    'May RunCommand do this?',
    '  $ echo hi > new.txt',
    '  asked because output goes to new.txt',
    '  always here = {"decision":"allow","path":"new.txt","use":"write"}',
    '  always here = {"decision":"allow","program":"echo","args":[">","new.txt"]}',
    '',
    'y yes · N no (Enter, Esc) · a always · e edit · w why',
    expect.stringContaining('mode ask'),
  ])
  expect((await at.cursor()).isShown).toBe(false)
  await at.type('y')
  await at.until('Made.')
  await at.until(PROMPT)
  const after = still(await at.rest())
  expect(after.slice(3, 8)).toEqual([
    '› make new.txt',
    '',
    'I make it.',
    '',
    expect.stringMatching(/^\[tool\] RunCommand command=echo hi > new\.txt · ok · exit 0 · N ms$/),
  ])
  expect(after.slice(-4)).toEqual(['Made.', '', PROMPT, expect.stringContaining('mode ask')])
  expect(readFileSync(join(at.repo, 'new.txt'), 'utf8')).toBe('hi\n')
})

test('a command is edited: the model hears of it, and nothing runs', async () => {
  const at = await openTerminal({ script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('I see.')] })
  await at.until('mode ask')
  await at.type('go')
  await at.press('Enter')
  await at.until('y yes')
  await at.type('e')
  await at.until('› echo hi > new.txt')
  await at.press('C-w')
  await at.type('other.txt')
  await at.until('› echo hi > other.txt')
  await at.press('Enter')
  await at.until('I see.')
  expect(at.model.requests[1]?.view.toolResults[0]?.text).toContain('Do this instead: echo hi > other.txt')
  expect(existsSync(join(at.repo, 'new.txt'))).toBe(false)
})

test('a question is answered from a list, or in own words', async () => {
  const question = { question: '어떤 색을 쓸까요?', options: ['빨강', '파랑'], allowFreeText: true }
  const at = await openTerminal({ script: [call('AskUser', question), call('AskUser', question), answer('Thanks.')] })
  await at.until('mode ask')
  await at.type('go')
  await at.press('Enter')
  await at.until('어떤 색을 쓸까요?')
  // The question stands there already while it is called, before there is a list to choose from.
  await at.until('in your own words')
  await at.press('Down')
  await at.press('Enter')
  // The list of the second question, which stands below the answer to the first.
  await at.until(/answered by \S+: 파랑[\s\S]*in your own words/)
  expect(at.model.requests).toHaveLength(2)
  await at.press('Up')
  await at.type('초록')
  await at.until('초록')
  await at.press('Enter')
  await at.until('Thanks.')
  const results = at.model.requests[2]?.view.toolResults.map(({ text }) => text) ?? []
  expect([results[0], results[1]]).toEqual([expect.stringContaining('파랑'), expect.stringContaining('초록')])
})

test('Ctrl-C twice leaves, and the terminal is as it was', async () => {
  const at = await openTerminal({ script: [], inShell: true })
  await at.type(at.command)
  await at.press('Enter')
  await at.until('mode ask')
  await at.press('C-c')
  await at.until('Ctrl-C once more to leave')
  await at.press('C-c')
  // The shell is there again.
  await at.until(/^[#$]$/m)
  await at.type('stty -a | tr " " "\\n" | grep -cE "^(icanon|echo|isig);?$"; echo left $?')
  await at.press('Enter')
  await at.until(/^3$[\s\S]*^left 0$/m)
  expect((await at.cursor()).isShown).toBe(true)
})

test('a terminal that takes nothing for a while ends up with the same screen, whatever was said meanwhile', async () => {
  const lines = Array.from({ length: 3000 }, (_, line) => `- item ${line}`)
  const at = await openTerminal({ script: [{ reply: [{ text: lines.join('\n') }], delivery: { deltaSize: 12 } }] })
  await at.until('mode ask')
  await at.type('list')
  await at.press('Enter')
  // The terminal stands still from here on, while the answer comes.
  process.kill(at.serverId, 'SIGSTOP')
  try {
    await at.untilLogged('"run-end"')
  } finally {
    process.kill(at.serverId, 'SIGCONT')
  }
  await at.until('item 2999')
  await at.until(PROMPT)
  await at.rest()
  expect((await at.everything()).match(/item \d+/g)).toEqual(lines.map((line) => line.slice(2)))
})

test('when the terminal is closed, what runs is ended and the log says so', async () => {
  const at = await openTerminal({
    script: [call('RunCommand', { command: 'echo begun; sleep 600' })],
    args: ['--mode', 'yes'],
  })
  await at.until('mode yes')
  await at.type('begin')
  await at.press('Enter')
  await at.until('│ begun')
  await at.kill()
  await at.untilLogged('"reason":"interrupted"')
})

test('Ctrl-Z gives the shell back, fg goes on where it was', async () => {
  const at = await openTerminal({ script: [answer('Here.')], inShell: true })
  await at.type(at.command)
  await at.press('Enter')
  await at.until('mode ask')
  await at.type('half a thought')
  await at.until('› half a thought')
  await at.press('C-z')
  await at.until(/^[#$]$/m)
  await at.type('echo in the shell')
  await at.press('Enter')
  await at.until(/^in the shell$/m)
  await at.type('fg')
  await at.press('Enter')
  await at.until('› half a thought')
  await at.press('Enter')
  await at.until('Here.')
})

test('Ctrl-G opens the editor of one’s own, in a file that nobody else can read', async () => {
  const at = await openTerminal({ script: [answer('Read.')], inShell: true, files: { 'ed.sh': EDITOR } })
  await chmod(join(at.repo, 'ed.sh'), 0o755)
  await at.type(`EDITOR="$PWD/ed.sh" ${at.command}`)
  await at.press('Enter')
  await at.until('mode ask')
  await at.type('begun')
  await at.press('C-g')
  await at.until('› begun')
  await at.until('and ended elsewhere')
  await at.press('Enter')
  await at.until('Read.')
  expect(at.model.requests[0]?.view.texts.at(-1)).toContain('begun\nand ended elsewhere')
  expect(readFileSync(join(at.repo, 'modes'), 'utf8')).toBe('600\n700\n')
})

const EDITOR = `#!/bin/sh
stat -c %a "$1" > modes
stat -c %a "$(dirname "$1")" >> modes
printf '\\nand ended elsewhere\\n' >> "$1"
`

test('files are offered behind an @, without those that git ignores', async () => {
  const at = await openTerminal({
    script: [answer('Read.')],
    files: { 'src/door.ts': '', 'src/doors.md': '', 'dist/door.js': '', '.gitignore': 'dist/\n' },
  })
  await at.until('mode ask')
  await at.type('see @door')
  const rows = await at.until('src/door.ts')
  expect(rows.join('\n')).not.toContain('dist/door.js')
  await at.press('Tab')
  await at.until('› see @src/door.ts')
  await at.type('now')
  await at.press('Enter')
  await at.until('Read.')
  expect(at.model.requests[0]?.view.texts.at(-1)).toContain('see @src/door.ts now')
})

test('line by line: nothing is ever drawn over, and approvals are asked in a line', async () => {
  const at = await openTerminal({
    script: [call('RunCommand', { command: 'echo hi > new.txt' }), answer('**Made.**')],
    env: { TERM: 'dumb' },
  })
  await at.until(/^›$/m)
  await at.type('make it')
  await at.press('Enter')
  await at.until('or say why not:')
  await at.type('y')
  await at.press('Enter')
  await at.until('Made.')
  const all = await at.everything()
  expect(all).toContain('[tool] RunCommand command=echo hi > new.txt · ok')
  await at.press('C-d')
  expect(await at.exited()).toBe(0)
})

test('what cannot be shown says which command can', async () => {
  const at = await openTerminal({ script: [], args: ['--json'] })
  await at.until('maru run --json')
  expect(await at.exited()).toBe(2)
})

test('without a key one is shown how to get a model', async () => {
  const at = await openTerminal({ script: [], env: { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' } })
  await at.until('Maru needs a model')
  await at.press('C-c')
  await at.exited()
})
