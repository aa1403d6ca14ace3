import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Step, startScriptedModel } from '@maru/scripted-model'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlace } from './end-to-end.ts'

// Put together here, so that the repository holds nothing that looks like a key.
const PASSWORD = ['odXmeX', 'uLJY6f8q', 'Zt'].join('')
const TOKEN = `${'ghp'}_${'Jdc4APKtME9BSjo4Lw1LlI3RGTRZwMlOM8Ix'}`
const OWN = ['k7Rm2Xw9', 'Lp4Zt8Vb', '3Nc6Hd1J'].join('')
const ENV_FILE = `# the database\nPORT=3000\nDB_PASSWORD=${PASSWORD}\nGITHUB_TOKEN=${TOKEN}\n`

let place: Awaited<ReturnType<typeof createPlace>>
beforeEach(async () => {
  place = await createPlace({ '.env': ENV_FILE, 'a.txt': `one\nkey ${OWN} here\n` })
})
afterEach(() => place.dispose())

/** Every form in which a value could stand in a file. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  return [value, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex'), encodeURIComponent(value)]
}

function expectNone(where: string, text: string, ...values: string[]): void {
  for (const form of values.flatMap(formsOf)) expect(text.includes(form), `${where} holds ${form}`).toBe(false)
}

/** All that a session has left on the disk, but for the files as they were, which undo needs as they were. */
function leftBehind(directory: string, but: readonly string[] = []): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .filter((text) => !but.includes(text))
    .join('\n')
}

interface Told {
  /** What the vendor was sent in all requests. */
  asked: string
  stdout: string
  stderr: string
  code: number | null
}

async function run(script: readonly Step[], args: string[], env: Record<string, string> = {}): Promise<Told> {
  const model = await startScriptedModel({ script })
  try {
    const words = ['run', '--provider', 'anthropic', '--model', 'scripted', '--session', place.log, ...args]
    const told = await place.run(words, model.url, env)
    expect(model.problems).toEqual([])
    return { asked: JSON.stringify(model.requests), ...told }
  } finally {
    await model.close()
  }
}

const maskIn = (text: string, name: string) =>
  new RegExp(`${name}=(\\[secret:[a-z-]+:[0-9a-f]+\\])`).exec(text)?.[1] ?? ''

describe.each(['ask', 'auto', 'read-only', 'yes'])('in mode %s', (mode) => {
  test('a secret file is read with its values masked', { timeout: 120_000 }, async () => {
    const script: Step[] = [
      { reply: [{ call: 'ReadFile', args: { path: '.env' } }] },
      { reply: [{ text: 'read' }], expect: { toolResult: 'DB_PASSWORD=[secret:' } },
    ]
    const { asked, stdout, stderr, code } = await run(script, ['--mode', mode, '--json', 'read the settings'])
    expect(code).toBe(0)
    expect(asked).toContain('# the database')
    expectNone('a request', asked, PASSWORD, TOKEN)
    expectNone('the output', stdout + stderr, PASSWORD, TOKEN)
    expectNone(
      'the log',
      leftBehind(place.path, [ENV_FILE, await readFile(join(place.repo, 'a.txt'), 'latin1')]),
      PASSWORD,
      TOKEN,
    )
  })
})

test('a patch whose context is masked leaves the values as they are', { timeout: 120_000 }, async () => {
  const patched = ENV_FILE.replace('PORT=3000', 'PORT=4000')
  const look: Step = { reply: [{ call: 'ReadFile', args: { path: '.env' } }] }
  await run([look, { reply: [{ text: 'read' }] }], ['--yes', 'read'])
  const log = await readFile(place.log, 'utf8')
  const password = maskIn(log, 'DB_PASSWORD')
  const port = maskIn(log, 'PORT')
  expect(password).not.toBe('')
  // In another process: what the masks stand for is found in the file again.
  const patch = `--- a/.env\n+++ b/.env\n@@ -1,3 +1,3 @@\n # the database\n-PORT=${port}\n+PORT=4000\n DB_PASSWORD=${password}\n`
  const { asked, code, stderr } = await run(
    [{ reply: [{ call: 'ApplyPatch', args: { patch } }] }, { reply: [{ text: 'done' }], expect: { toolResult: 'ok' } }],
    ['--yes', 'another port'],
  )
  expect({ code, stderr: stderr.includes('ApplyPatch') }).toEqual({ code: 0, stderr: true })
  expect(await readFile(join(place.repo, '.env'), 'utf8')).toBe(patched)
  expectNone('a request', asked, PASSWORD, TOKEN)
  expectNone('what is left', leftBehind(place.path, [ENV_FILE, patched, `one\nkey ${OWN} here\n`]), PASSWORD, TOKEN)
})

test('a mask that stands for nothing is never written', { timeout: 120_000 }, async () => {
  const content = 'DB_PASSWORD=[secret:file-value:0123abcd]\n'
  const script: Step[] = [
    { reply: [{ call: 'WriteFile', args: { path: '.env', content } }] },
    { reply: [{ text: 'no' }], expect: { toolResult: 'masked-value' } },
  ]
  await run(script, ['--yes', 'write it'])
  expect(await readFile(join(place.repo, '.env'), 'utf8')).toBe(ENV_FILE)
})

test('what is masked in a secret file cannot be carried to another, or into a command', {
  timeout: 120_000,
}, async () => {
  await run(
    [{ reply: [{ call: 'ReadFile', args: { path: '.env' } }] }, { reply: [{ text: 'read' }] }],
    ['--yes', 'read'],
  )
  const mask = maskIn(await readFile(place.log, 'utf8'), 'DB_PASSWORD')
  const step: Step = {
    reply: [
      { call: 'ReadFile', args: { path: '.env' } },
      { call: 'WriteFile', args: { path: 'public.txt', content: `${mask}\n` } },
      { call: 'RunCommand', args: { command: `echo "${mask}"` } },
    ],
  }
  await run([step, { reply: [{ text: 'no' }], expect: { toolResult: 'masked-value' } }], ['--yes', 'show it'])
  expect(readdirSync(place.repo).sort()).toEqual(['.env', 'a.txt'])
  const ended = (await readFile(place.log, 'utf8')).split('\n').filter((line) => line.includes('"tool-end"'))
  expect(ended.filter((line) => line.includes('masked-value'))).toHaveLength(2)
})

test('the keys of the user do not reach model, output or log, whatever shows them', { timeout: 120_000 }, async () => {
  const encoded = Buffer.from(OWN).toString('base64')
  // In a file: what the model itself wrote is no secret to it.
  await writeFile(join(place.repo, 'b.sh'), `echo ${encoded}\n`)
  const script: Step[] = [
    {
      reply: [
        { call: 'RunCommand', args: { command: 'env; sh b.sh' } },
        { call: 'RunCommand', args: { command: 'cat a.txt' } },
        { call: 'SearchText', args: { query: 'key' } },
        { call: 'ReadFile', args: { path: 'b.sh' } },
      ],
    },
    { reply: [{ text: 'seen' }] },
  ]
  const { asked, stdout, stderr } = await run(script, ['--yes', '--json', 'look'], { SERVICE_API_KEY: OWN })
  expect(asked).toContain('[secret:own-value:')
  expectNone('a request', asked, OWN)
  expectNone('the output', stdout + stderr, OWN)
  expectNone('the log', leftBehind(join(place.path, 'home')) + (await readFile(place.log, 'latin1')), OWN)
})

test('a key that the person says is masked before it is admitted, and used as they wish', {
  timeout: 120_000,
}, async () => {
  const first = await run([{ reply: [{ text: 'ok' }] }], ['--yes', `write ${TOKEN} into token.txt`])
  expectNone('a request', first.asked, TOKEN)
  const mask = /\[secret:github-token:[0-9a-f]+\]/.exec(first.asked)?.[0] ?? ''
  const script: Step[] = [
    { reply: [{ call: 'WriteFile', args: { path: 'token.txt', content: `${mask}\n` } }] },
    { reply: [{ text: 'done' }] },
  ]
  const { asked } = await run(script, ['--yes', `again: write ${TOKEN} into token.txt`])
  expect(await readFile(join(place.repo, 'token.txt'), 'utf8')).toBe(`${TOKEN}\n`)
  expectNone('a request', asked, TOKEN)
  expectNone('the log', await readFile(place.log, 'latin1'), TOKEN)
})

test('a known value that comes back from the model is not kept, also not as the vendor sent it', {
  timeout: 120_000,
}, async () => {
  const script: Step[] = [
    { reply: [{ call: 'ReadFile', args: { path: 'a.txt' } }] },
    { reply: [{ text: `I guess that it is ${OWN}.` }] },
  ]
  await run(script, ['--yes', 'look'], { SERVICE_API_KEY: OWN })
  const log = await readFile(place.log, 'latin1')
  expect(log).toContain('I guess that it is [secret:own-value:')
  expectNone('the log', log, OWN)
  const raw = join(place.path, 'session/raw')
  expect(readdirSync(raw)).toHaveLength(1)
  expectNone('what the vendor sent', leftBehind(raw), OWN)
})
