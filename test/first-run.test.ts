import { spawn, spawnSync } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startScriptedModel } from '@maru/scripted-model'
import { temporaryDirectory } from '@maru/testkit'
import { expect, onTestFinished, test } from 'vitest'

const maru = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')
const KEY = 'sk-proj-neverseen0123456789'

// `script` gives a real terminal: only there is anything echoed, or kept from being echoed.
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** The built program in a terminal of its own, and a person who types once something has been asked. */
async function sit(args: string, env: { [name: string]: string }) {
  const { path, dispose } = await temporaryDirectory()
  onTestFinished(dispose)
  const home = join(path, 'home')
  const child = spawn('script', ['-qfec', `${process.execPath} ${maru} ${args}`, '/dev/null'], {
    cwd: path,
    env: { PATH: process.env['PATH'], HOME: path, MARU_HOME: home, TERM: 'xterm', LANG: 'C.UTF-8', ...env },
  })
  let screen = ''
  let waiting: (() => void) | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8')
    waiting?.()
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code)
      waiting?.()
    })
  })
  return {
    home,
    ended,
    screen: () => screen,
    async type(after: string, text: string) {
      while (!screen.includes(after) && child.exitCode === null) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      expect(screen).toContain(after)
      child.stdin.write(text)
    },
  }
}

test('in a real terminal a key is pasted unseen, kept with mode 0600, and the question is answered', async (context) => {
  if (!hasScript) context.skip('the program "script" is not there')
  const model = await startScriptedModel({ script: [{ reply: [{ text: '마흔둘입니다.' }] }] })
  onTestFinished(() => model.close())
  const person = await sit('ask x --lang ko', { OPENAI_BASE_URL: model.url })
  await person.type('나가기): ', '1\r')
  await person.type('돌아갑니다): ', `${KEY}\r`)
  expect(await person.ended).toBe(0)
  expect(person.screen()).toContain('마흔둘입니다.')
  expect(person.screen()).not.toContain('neverseen')
  const file = join(person.home, 'config.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ keys: { openai: KEY } })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('Ctrl-C leaves the first screen with 130, and keeps nothing', async (context) => {
  if (!hasScript) context.skip('the program "script" is not there')
  const person = await sit('run x', {})
  await person.type('Enter leaves): ', '\x03')
  expect(await person.ended).toBe(130)
  await expect(stat(person.home)).rejects.toThrow('ENOENT')
})
