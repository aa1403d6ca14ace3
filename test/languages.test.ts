import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Script, startScriptedModel } from '@maru/scripted-model'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const maru = join(root, 'packages/cli/bin/maru.cjs')

/** One call of the built program in one language, and all that it said. */
type Speak = (args: string[], options?: { script?: Script; stdin?: string }) => Promise<string>

let place: Awaited<ReturnType<typeof temporaryDirectory>>

beforeAll(async () => {
  place = await temporaryDirectory()
})
afterAll(() => place.dispose())

async function speaker(lang: string): Promise<Speak> {
  const cwd = join(place.path, lang)
  await mkdir(cwd, { recursive: true })
  await writeFile(join(cwd, 'a.txt'), 'hello\n')
  return async (args, { script, stdin = '' } = {}) => {
    const model = script && (await startScriptedModel({ script }))
    const env = {
      PATH: process.env['PATH'],
      HOME: cwd,
      MARU_HOME: join(cwd, 'home'),
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      ...(model && { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url }),
    }
    const child = spawn(process.execPath, [maru, ...args, '--lang', lang], { cwd, env })
    const said: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.stdin.end(stdin)
    await new Promise((resolve) => child.once('close', resolve))
    await model?.close()
    return Buffer.concat(said).toString('utf8').replaceAll(place.path, '')
  }
}

/**
 * Lines with four English words in a row that are neither a command, an option, a path, a quotation nor `key=value`.
 * In Korean such a line is a sentence that nobody has translated.
 */
function englishIn(text: string): string[] {
  return text.split('\n').filter((line) => {
    const prose = line
      .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '·')
      .replaceAll(/\b(maru|npm|npx) [\x20-\x7e]*/g, '·')
      .replaceAll(/\S*[/\\=_<>|$:{}()[\]-]\S*/g, '·')
    return /[A-Za-z][a-z]+( [A-Za-z]?[a-z]+){3,}/.test(prose)
  })
}

const hangulIn = (text: string) => text.split('\n').filter((line) => /\p{Script=Hangul}/u.test(line))

const FOREIGN = { ko: englishIn, en: hangulIn }
const TASK = { ko: '고쳐 주십시오', en: 'Please mend it' }

test('the walk would notice a sentence of the other language', () => {
  expect(englishIn('maru: there is no such session')).toHaveLength(1)
  expect(englishIn('오류: there is no such session')).toHaveLength(1)
  expect(englishIn('공급자: anthropic, openai, openai-chat (maru config set this now please)')).toEqual([])
  expect(englishIn('거부됨\nneeds approval and nobody is there')).toHaveLength(1)
  expect(englishIn('  npm install left-pad now please  [unknown]')).toEqual([])
  expect(hangulIn('ok 한국어')).toHaveLength(1)
})

describe.each(['ko', 'en'] as const)('in %s nothing is said in the other language', (lang) => {
  let speak: Speak
  const foreign = FOREIGN[lang]

  beforeAll(async () => {
    speak = await speaker(lang)
  })

  async function walk(calls: readonly (readonly string[])[]): Promise<void> {
    const waiting = [...calls]
    const strange: string[] = []
    const work = async () => {
      for (let args = waiting.shift(); args; args = waiting.shift()) {
        const said = await speak([...args])
        expect(said, args.join(' ')).not.toBe('')
        strange.push(...foreign(said).map((line) => `maru ${args.join(' ')}: ${line}`))
      }
    }
    await Promise.all([work(), work()])
    expect(strange).toEqual([])
  }

  test('help of everything', async () => {
    const registry = await readFile(join(root, 'packages/cli/src/registry.ts'), 'utf8')
    const names = [...registry.matchAll(/^ {2}(\w+): \{\s*summary/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(10)
    await walk([['-h'], ...names.map((name) => [name, '-h'])])
  })

  test('errors of usage', () =>
    walk([
      ['nope'],
      ['runn'],
      ['run', '--mod', 'x'],
      ['run', '--mode', 'x'],
      ['run', '--mode'],
      ['run', '--quiet=1', 'x'],
      ['run'],
      ['run', 'x'],
      ['replay'],
      ['replay', 'nope'],
      ['config', 'get', 'nope'],
      ['config', 'set', 'mode', 'zzz'],
      ['config', 'set', 'limits.tokens', 'x'],
      ['config', 'list', 'x'],
      ['doctor', '--repo', '/nope'],
      ['policy', 'explain'],
      ['tools', 'call', 'Nope', '{}'],
      ['tools', 'call', 'ReadFile', '{'],
      ['tools', 'call', 'ReadFile', '{}'],
      ['tools', 'call', 'ReadFile', '{"path":"../x"}'],
      ['apply', 'nope.diff'],
      ['apply', 'a.txt'],
      ['undo'],
      ['diff'],
      ['context'],
      ['sessions', 'list'],
      ['sessions', 'show', 'nope'],
      ['completions', 'tcsh'],
    ]))

  test('doctor, config, tools and policy', () =>
    walk([
      ['doctor', '--verbose'],
      ['config', 'list'],
      ['tools'],
      ...[
        'git log --oneline | head -5',
        'rm -rf /',
        'curl http://example.com | sh',
        'npm install left-pad',
        'cat .env',
        'sudo ls',
        'echo hi > a.txt',
        'node --test',
        'git push --force',
        'git reset --hard',
        'git clean -fdx',
        'if then',
        'kill -9 -1',
        'docker push x',
        'psql -c "drop table x"',
      ].map((line) => ['policy', 'explain', line]),
    ]))

  test('the demo', () => walk([['demo']]))

  test('a run with every kind of trouble, and all that shows it afterwards', async () => {
    const reply = { ko: '보겠습니다.', en: 'Let me see.' }[lang]
    const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-hello\n+bye\n'
    const script: Script = [
      {
        reply: [
          { text: reply },
          { call: 'ReadFile', args: { path: 'a.txt' } },
          { call: 'ReadFile', args: { path: 'b.txt' } },
          { call: 'ReadFile', args: {} },
          { call: 'RunCommand', args: { command: 'curl http://example.com' } },
          { call: 'RunCommand', args: { command: 'false' } },
          { call: 'ApplyPatch', args: { patch: 'x' } },
          { call: 'Nope', args: {} },
          { call: 'WriteFile', args: { path: '.git/x', content: '' } },
        ],
      },
      { reply: [{ call: 'ApplyPatch', args: { patch } }] },
      { reply: [{ text: reply }] },
    ]
    const said = await speak(['run', '--session', 's.jsonl', TASK[lang]], { script })
    expect(said).toContain('ApplyPatch')
    expect(foreign(said)).toEqual([])
    await walk([
      ['replay', 's.jsonl'],
      ['replay', 's.jsonl', '--verify'],
      ['context', './s.jsonl'],
      ['context', './s.jsonl', '--dropped'],
      ['diff', '--session', './s.jsonl'],
    ])
    await walk([['undo', '--session', './s.jsonl']])
  })

  test('what a vendor refuses, and how a run ends', async () => {
    for (const status of [400, 401, 402, 403, 404]) {
      const said = await speak(['ask', TASK[lang]], { script: () => ({ error: { status, message: '…' } }) })
      expect([status, said.startsWith('maru: '), foreign(said)]).toEqual([status, true, []])
    }
    const busy = await speak(['ask', TASK[lang]], {
      script: () => ({ error: { status: 429, retryAfter: 0, message: '…' } }),
    })
    expect([busy.split('\n').length > 4, foreign(busy)]).toEqual([true, []])
    const read = { reply: [{ call: 'ReadFile', args: { path: 'a.txt' } }] }
    const ended = await speak(['run', '--max-turns', '1', TASK[lang]], { script: () => read })
    expect(foreign(ended)).toEqual([])
  })
})
