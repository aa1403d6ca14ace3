import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ScriptedModel, startScriptedModel } from '@maru/scripted-model'
import { expect, onTestFinished, test } from 'vitest'
import { displayWidth } from '../../src/terminal/width.ts'
import { makeDirectory, run } from '../run.ts'
import { runWithPerson } from './person.ts'

const KEY = 'sk-proj-0123456789abcdefghij'

async function startModel(text: string): Promise<ScriptedModel> {
  const model = await startScriptedModel({ script: () => ({ reply: [{ text }] }) })
  onTestFinished(() => model.close())
  return model
}

const configOf = (home: string): unknown => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))

test('where nobody can be asked, one line names the variable, the config and the doctor', async () => {
  for (const args of [['run', 'x'], ['ask', 'x'], ['chat']]) {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'maru: there is no key for anthropic; set ANTHROPIC_API_KEY, or run "maru config set keys.anthropic -"; "maru doctor" says more\n',
    ])
  }
  const { code, stdout } = await run(['ask', 'x', '--json'], { isTTY: true })
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { type: 'error', code: 'no-key' }])
})

test.each([
  ['en', 'Maru needs a model to work with.', 'See the demo first'],
  ['ko', '모델이 필요합니다', '먼저 데모를 봅니다'],
])('a person sees one screen with every way to a model, and may leave (%s)', async (lang, title, demo) => {
  const { code, screen, home } = await runWithPerson(['run', 'x', '--lang', lang], { types: [''] })
  for (const part of [
    title,
    demo,
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'maru config set keys.anthropic',
    'maru doctor',
  ])
    expect(screen).toContain(part)
  expect(screen.split('\n').filter((line) => displayWidth(line) > 80 && !line.includes(home))).toEqual([])
  expect([code, existsSync(home)]).toEqual([2, false])
})

test('a key that is pasted is kept for its owner alone, and the question is then answered', async () => {
  const model = await startModel('Forty-two.')
  const env = { OPENAI_BASE_URL: model.url }
  const { code, screen, home } = await runWithPerson(['ask', 'x'], { env, types: ['1', `  "${KEY}" `] })
  expect([code, screen]).toEqual([0, expect.stringContaining('Forty-two.')])
  expect(configOf(home)).toEqual({ keys: { openai: KEY } })
  expect(statSync(join(home, 'config.json')).mode & 0o777).toBe(0o600)
  expect(model.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
})

test('what cannot be a key is said and asked for again; an empty line goes back to the screen', async () => {
  const types = ['9', '1', 'my key is lost', 'abc', '', '']
  const { code, screen, home } = await runWithPerson(['ask', 'x'], { types })
  expect(screen).toContain('Please type a number from 1 to')
  expect(screen).toContain('blanks or characters that no key has')
  expect(screen).toContain('too short for a key')
  expect([code, existsSync(home)]).toEqual([2, false])
})

test('whose key it is, is asked where it does not show', async () => {
  const model = await startModel('Yes.')
  const env = { OPENAI_BASE_URL: model.url }
  const types = ['1', '0123456789abcdefghijklmn', '2']
  const { code, home } = await runWithPerson(['ask', 'x'], { env, types })
  expect([code, configOf(home)]).toEqual([0, { keys: { openai: '0123456789abcdefghijklmn' } }])
})

test('the key of one vendor is not kept for another that was asked for', async () => {
  const types = ['1', 'sk-ant-0123456789abcdefghij', '', '']
  const { code, screen, home } = await runWithPerson(['ask', 'x', '--provider', 'openai'], { types })
  expect(screen).toContain('a key of Anthropic, but openai was asked for')
  expect(screen).toContain('OPENAI_API_KEY')
  expect(screen).not.toContain('ANTHROPIC_API_KEY')
  expect([code, existsSync(home)]).toEqual([2, false])
})

test('a file that names another provider is changed to the one whose key was given', async () => {
  const model = await startModel('Yes.')
  const home = join(await makeDirectory({ 'home/config.json': '{\n  // mine\n  "provider": "anthropic"\n}\n' }), 'home')
  const env = { OPENAI_BASE_URL: model.url, MARU_HOME: home }
  const { code } = await runWithPerson(['ask', 'x'], { env, types: ['1', KEY] })
  expect(code).toBe(0)
  expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe(
    `{\n  // mine\n  "provider": "openai",\n  "keys": {\n    "openai": "${KEY}"\n  }\n}\n`,
  )
})

test('who has an address but no key gets the one line, and no screen', async () => {
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  const { code, screen } = await runWithPerson(['ask', 'x'], { env, types: ['1', KEY] })
  expect([code, screen]).toEqual([2, expect.stringMatching(/^maru: there is no key for anthropic;.*\n$/)])
})

test('the demo can be seen before anything is settled', async () => {
  // The demo is always the last choice; how many there are depends on what runs on this machine.
  const { screen: first } = await runWithPerson(['ask', 'x'], { types: [''] })
  const last = /A number from 1 to (\d+)/.exec(first)?.[1] ?? ''
  const { code, screen, home } = await runWithPerson(['ask', 'x'], {
    env: { PATH: process.env['PATH'] },
    types: [last],
  })
  expect([code, existsSync(home)]).toEqual([0, false])
  expect(screen).toContain('Fixed: sum now adds')
})
