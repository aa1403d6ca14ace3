import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renderResult } from '@maru/agent'
import { createMasking } from '@maru/guard'
import type { Json, Preview } from '@maru/protocol'
import { temporaryDirectory } from '@maru/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTools } from '../src/index.ts'
import { codesOf, contextOf } from './bench-of-tools.ts'
import { git } from './git/repositories.ts'

const PASSWORD = ['odXmeX', 'uLJY6f8q', 'Zt'].join('')
const KEY = `${'ghp'}_${'Jdc4APKtME9BSjo4Lw1LlI3RGTRZwMlOM8Ix'}`
const ENV = `# settings\nPORT=3000\nDB_PASSWORD=${PASSWORD}\nMODE=dev\n`

let root: string
let dispose: () => Promise<void>
let tools: ReturnType<typeof createTools>
beforeEach(async () => {
  const place = await temporaryDirectory()
  dispose = place.dispose
  root = await realpath(place.path)
  tools = createTools({ root, environment: {}, masking: masking() })
})
afterEach(async () => {
  await tools.close()
  await dispose()
})

function masking() {
  const digest = (value: string) => createHash('sha256').update(`test ${value}`).digest('hex')
  return createMasking(async () => ({ digest }))
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const read = (path: string) => readFile(join(root, path), 'utf8')

async function call(name: string, args: Json, kept: (string | Uint8Array)[] = []) {
  const tool = tools.list().find(({ spec }) => spec.name === name)
  if (!tool) throw new Error(name)
  const context = contextOf({
    async keep(content) {
      kept.push(content)
      return { hash: '0'.repeat(64), bytes: 0 }
    },
  })
  const prepared = await tool.prepare(args, context)
  const result = await prepared.run(context)
  return { result, text: renderResult(result), preview: textOf(prepared.preview) }
}

const textOf = (preview: Preview | undefined) => (preview && 'text' in preview ? preview.text : '')

/** The masks of a file as it is shown, by the names before them. */
async function masksOf(path: string): Promise<{ [name: string]: string }> {
  const { text } = await call('ReadFile', { path })
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\[secret:[^\]]*\])/g)].map(([, name = '', mask = '']) => [name, mask]),
  )
}

describe('a secret file', () => {
  test('is shown with its values masked and its lines where they are', async () => {
    await put('.env', ENV)
    const { result } = await call('ReadFile', { path: '.env' })
    expect(result.stdout?.replace(/\[secret:file-value:[0-9a-f]{8}\]/g, '•')).toBe(
      '1\t# settings\n2\tPORT=•\n3\tDB_PASSWORD=•\n4\tMODE=•',
    )
  })

  test('is patched around its values, and they stay what they are', async () => {
    await put('.env', ENV)
    const { DB_PASSWORD, MODE } = await masksOf('.env')
    const patch = `--- a/.env\n+++ b/.env\n@@ -3,2 +3,3 @@\n DB_PASSWORD=${DB_PASSWORD}\n-MODE=${MODE}\n+MODE=live\n+NAME=x7\n`
    const kept: (string | Uint8Array)[] = []
    const { result, text, preview } = await call('ApplyPatch', { patch }, kept)
    expect(result.ok).toBe(true)
    expect(await read('.env')).toBe(`# settings\nPORT=3000\nDB_PASSWORD=${PASSWORD}\nMODE=live\nNAME=x7\n`)
    expect(preview).toContain(' DB_PASSWORD=[secret:')
    expect(preview + text).not.toContain(PASSWORD)
    // For undo, byte for byte.
    expect(kept).toEqual([Buffer.from(ENV)])
  })

  test('is written whole with masks in it, and a copy of it is', async () => {
    await put('.env', ENV)
    const { DB_PASSWORD } = await masksOf('.env')
    await call('WriteFile', { path: '.env.local', content: `DB_PASSWORD=${DB_PASSWORD}\nPORT=1\n` })
    expect(await read('.env.local')).toBe(`DB_PASSWORD=${PASSWORD}\nPORT=1\n`)
  })

  test('never gets a mask that stands for nothing', async () => {
    await put('.env', ENV)
    const content = 'DB_PASSWORD=[secret:file-value:0123abcd]\n'
    const written = await call('WriteFile', { path: '.env', content })
    const patched = await call('ApplyPatch', {
      patch: `--- a/.env\n+++ b/.env\n@@ -1,1 +1,2 @@\n # settings\n+${content}`,
    })
    expect([codesOf(written.result), codesOf(patched.result)]).toEqual([['masked-value'], ['masked-value']])
    expect(await read('.env')).toBe(ENV)
  })

  test('does not lend its values to files that are not secret', async () => {
    await put('.env', ENV)
    const { DB_PASSWORD } = await masksOf('.env')
    const { result } = await call('WriteFile', { path: 'index.html', content: `<p>${DB_PASSWORD}</p>\n` })
    expect(codesOf(result)).toEqual(['masked-value'])
    await expect(read('index.html')).rejects.toThrow()
  })

  test('is found by its names, never by its values', async () => {
    await put('.env', ENV)
    const named = await call('SearchText', { query: 'DB_PASSWORD' })
    expect(named.text).toContain('DB_PASSWORD=[secret:')
    for (const args of [
      { query: PASSWORD.slice(0, 6) },
      { query: `${PASSWORD.slice(0, 3)}\\w+`, regex: true },
      { query: '3000' },
    ]) {
      expect((await call('SearchText', args)).result.data).toEqual({ matches: 0, lines: 0, files: 0 })
    }
    const all = await call('SearchText', { query: '^[A-Z_]+=.', regex: true, contextLines: 2 })
    expect(all.result.data).toMatchObject({ lines: 3, files: 1 })
    expect(all.text).not.toContain(PASSWORD)
  })

  test('is compared without its values', async () => {
    await git(root, 'init', '-q')
    await put('.env', ENV)
    await git(root, 'add', '-A')
    await git(root, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x')
    await put('.env', ENV.replace(PASSWORD, `${PASSWORD}9`).replace('dev', 'live'))
    const { text } = await call('GitDiff', {})
    expect(text).toContain('-DB_PASSWORD=[secret:')
    expect(text).toContain('+DB_PASSWORD=[secret:')
    expect(text).not.toMatch(new RegExp(`${PASSWORD}|live|3000`))
  })
})

describe('a key in any other file', () => {
  const source = `const key = '${KEY}'\nexport const port = 1\n`

  test('is masked where it is shown, and stays where it is', async () => {
    await put('a.ts', source)
    const { text } = await call('ReadFile', { path: 'a.ts' })
    expect(text).not.toContain(KEY)
    const mask = /\[secret:github-token:[0-9a-f]+\]/.exec(text)?.[0]
    const patch = `--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n const key = '${mask}'\n-export const port = 1\n+export const port = 2\n`
    expect((await call('ApplyPatch', { patch })).result.ok).toBe(true)
    expect(await read('a.ts')).toBe(source.replace('port = 1', 'port = 2'))
  })

  test('may be moved to another file', async () => {
    await put('a.ts', source)
    const { text } = await call('ReadFile', { path: 'a.ts' })
    const mask = /\[secret:github-token:[0-9a-f]+\]/.exec(text)?.[0]
    await call('WriteFile', { path: 'b.ts', content: `export const key = '${mask}'\n` })
    expect(await read('b.ts')).toBe(`export const key = '${KEY}'\n`)
  })

  test('does not turn what only looks like a mask into something else', async () => {
    const text = 'a mask looks like [secret:github-token:0123abcd]\nsecond\n'
    await put('README.md', text)
    const patch =
      '--- a/README.md\n+++ b/README.md\n@@ -1,2 +1,2 @@\n a mask looks like [secret:github-token:0123abcd]\n-second\n+third\n'
    expect((await call('ApplyPatch', { patch })).result.ok).toBe(true)
    expect(await read('README.md')).toBe(text.replace('second', 'third'))
  })

  test('is masked in a line that is cut', async () => {
    await put('a.min.js', `${'x=1;'.repeat(50)}needle;k="${KEY}";${'y=2;'.repeat(100)}\n`)
    const { text } = await call('SearchText', { query: 'needle' })
    expect(text).toContain('needle')
    expect(text).not.toContain(KEY.slice(4, 24))
  })

  test('over several lines keeps its lines', async () => {
    const pem = [
      '-----BEGIN PRIVATE KEY-----',
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg',
      'e/R86/e/QP648f',
      '-----END PRIVATE KEY-----',
    ]
    await put('k.txt', `before\n${pem.join('\n')}\nafter\n`)
    const { text } = await call('ReadFile', { path: 'k.txt' })
    for (const line of pem) expect(text).not.toContain(line)
    expect(text).toContain('6\tafter')
    const found = await call('SearchText', { query: '8f', contextLines: 1 })
    expect(found.text).not.toContain('e/R86')
  })
})
