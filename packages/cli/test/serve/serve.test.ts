import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startScriptedModel } from '@maru/scripted-model'
import { openJsonlStore } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/run-cli.ts'
import { input, start } from '../history/say.ts'

const START_MS = 120_000

let place = ''
const home = () => join(place, 'home')
const repo = () => join(place, 'repo')

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'maru-serve-'))
  await mkdir(repo())
  await mkdir(home(), { mode: 0o700 })
  await writeFile(join(repo(), 'a.txt'), 'one\n')
})
afterAll(() => rm(place, { recursive: true, force: true }))

interface Serving {
  stdout(): string
  stderr(): string
  /** As soon as stdout has so many lines. */
  lines(count: number): Promise<string[]>
  /** By itself, with this exit code. */
  ended: Promise<number>
  stop(): Promise<number>
}

function serve(args: readonly string[], env: { [name: string]: string } = {}): Serving {
  const written = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  const stream = (name: keyof typeof written) => ({
    write(text: string | Uint8Array) {
      written[name] += String(text)
      wake()
      return true
    },
  })
  const stop = new AbortController()
  let ended: number | undefined
  const running = runCli(['serve', ...args], {
    stdin: (async function* () {})(),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env: { PATH: process.env['PATH'], HOME: place, MARU_LANG: 'en', ...env, MARU_HOME: home() },
    cwd: repo(),
    signal: stop.signal,
  }).then((code) => {
    ended = code
    wake()
    return code
  })
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    lines: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const lines = written.stdout.split('\n').slice(0, -1)
          if (lines.length >= count) resolve(lines)
          else if (ended !== undefined) reject(new Error(`ended with ${ended}: ${written.stdout}${written.stderr}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
    ended: running,
    stop() {
      stop.abort()
      return running
    },
  }
}

const listeningOf = ([line = '']: string[]) =>
  JSON.parse(line) as { type: string; url: string; token: string; link: string }

test('a server says where it is, finds the demo by a Korean word inside a longer one, runs an agent, and leaves nothing open', {
  timeout: START_MS,
}, async () => {
  const model = await startScriptedModel({
    script: [
      { reply: [{ call: 'WriteFile', args: { path: 'a.txt', content: 'two\n' } }] },
      { reply: [{ text: 'done' }] },
    ],
  })
  const env = { ANTHROPIC_API_KEY: 'sk-scripted', ANTHROPIC_BASE_URL: model.url }
  const serving = serve(['--json', '--port', '0', '--demo'], env)
  try {
    const { type, url, token, link } = listeningOf(await serving.lines(1))
    expect(type).toBe('listening')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(link.startsWith(`${url}/#token=`)).toBe(true)
    const ask = async (path: string, body?: unknown, key = token) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const answer = await fetch(`${url}${path}`, { headers, ...more })
      return { status: answer.status, body: (await answer.json()) as { [name: string]: unknown } }
    }
    const found = await ask(`/api/v1/search?q=${encodeURIComponent('베이스')}`)
    expect(found.body['items']).toMatchObject([{ snippet: expect.stringContaining('데이터베이스에서') }])

    const note = JSON.parse(readFileSync(join(home(), 'server.json'), 'utf8')) as { [name: string]: unknown }
    expect(note).toMatchObject({ url, pid: process.pid, token: expect.any(String), startedAt: expect.any(Number) })
    expect(note['token']).not.toBe(token)
    expect(statSync(join(home(), 'server.json')).mode & 0o777).toBe(0o600)
    expect(await ask('/api/v1/conversations', undefined, String(note['token']))).toMatchObject({ status: 200 })

    const begun = await ask('/api/v1/sessions', { repo: repo(), mode: 'yes', input: 'Change a.txt' })
    expect(begun.status).toBe(201)
    const id = String(begun.body['id'])
    const outside = await ask('/api/v1/sessions', { repo: place })
    expect(outside.status).toBeGreaterThanOrEqual(400)
    await until(async () => {
      const { body } = await ask(`/api/v1/conversations/${id}/messages`)
      return (body['items'] as { content: string }[]).some(({ content }) => content === 'done')
    })
    expect(await readFile(join(repo(), 'a.txt'), 'utf8')).toBe('two\n')
    const { body: changed } = await ask(`/api/v1/sessions/${id}/diff`)
    expect(changed['diff']).toContain('-one\n+two')
    expect((await ask(`/api/v1/sessions/${id}/undo`, {})).body).toEqual({ restored: ['a.txt'], kept: [] })
    expect(await readFile(join(repo(), 'a.txt'), 'utf8')).toBe('one\n')

    expect(await serving.stop()).toBe(130)
    expect(existsSync(join(home(), 'server.json'))).toBe(false)
    expect(serving.stdout().split('\n')).toHaveLength(2)
    const log = readFileSync(join(home(), 'logs/server.log'), 'utf8')
    for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) })
    for (const secret of [token, String(note['token']), link.split('#token=')[1] ?? '?', 'sk-scripted', 'Change a.txt'])
      expect(log + serving.stderr()).not.toContain(secret)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  } finally {
    await serving.stop()
    await model.close()
  }
})

test('started again with TLS for others in the network, it has what terminals did meanwhile, and its certificate proves it', {
  timeout: START_MS,
}, async () => {
  const { log } = openJsonlStore({ directory: join(home(), 'sessions'), now: Date.now })
  await log.create('meanwhile', start)
  await log.admit('meanwhile', input('1', 'said in a terminal'))
  const serving = serve(['--host', '0.0.0.0', '--tls', '--pair', '--port', '0', '--demo'])
  try {
    // Eight lines about itself, then the code.
    const lines = await serving.lines(9)
    expect(lines[0]).toMatch(/^Maru is listening on https:\/\/127\.0\.0\.1:\d+$/)
    expect(lines.join('\n')).toMatch(/In a terminal: {2}maru\n/)
    expect(lines.at(-1)).toMatch(/type \d{8}/)
    expect(serving.stderr()).toBe('')
    const note = JSON.parse(readFileSync(join(home(), 'server.json'), 'utf8')) as { [name: string]: string }
    const ask = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = { authorization: `Bearer ${note['token']}` }
        get(`${note['url']}${path}`, { headers, ca: note['cert'], agent: false }, (answer) => {
          let text = ''
          answer.on('data', (piece) => {
            text += String(piece)
          })
          answer.on('end', () => resolve(text))
        }).on('error', reject)
      })
    const { items } = JSON.parse(await ask('/api/v1/search?q=terminal')) as { items: { conversation: string }[] }
    expect(items.map(({ conversation }) => conversation)).toContain('meanwhile')
    await log.admit('meanwhile', input('2', 'and while it runs'))
    await until(async () => (await ask('/api/v1/search?q=while%20it%20runs')).includes('"meanwhile"'))
    expect(await serving.stop()).toBe(130)
  } finally {
    await serving.stop()
    await log.close()
  }
})

test('of two that start at once in one home, one serves and the other says where', { timeout: START_MS }, async () => {
  const both = [serve(['--json', '--port', '0']), serve(['--json', '--port', '0'])]
  try {
    const said = (await Promise.all(both.map((one) => one.lines(1)))).map(
      ([line = '']) => JSON.parse(line) as { type: string; url: string; code: string; message: string },
    )
    expect(said.map(({ type }) => type).sort()).toEqual(['error', 'listening'])
    const { url } = said.find(({ type }) => type === 'listening') ?? {}
    expect(said.find(({ type }) => type === 'error')).toMatchObject({
      code: 'already-serving',
      message: `a server of this home runs already: ${url} (process ${process.pid}); use it, or stop it first`,
    })
    // Of the same words as for who comes later.
    const late = serve(['--port', '0'])
    expect(await late.ended).toBe(1)
    expect(late.stderr()).toBe(`maru: ${said.find(({ type }) => type === 'error')?.message}\n`)
  } finally {
    for (const one of both) await one.stop()
  }
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); ) {
    if (Date.now() > end) throw new Error('it never became so')
    await new Promise((done) => setTimeout(done, 50))
  }
}
