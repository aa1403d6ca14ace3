import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import type { RunningServer } from '@maru/server'
import { expect, test } from 'vitest'
import type { Invocation } from '../../src/command.ts'
import { announcePairing } from '../../src/serve/announce.ts'
import { holdHome } from '../../src/serve/hold-home.ts'
import { listenOn, PORT } from '../../src/serve/listen.ts'
import { logLine, openLogFile } from '../../src/serve/operator-log.ts'
import { removeServerNote, writeServerNote } from '../../src/serve/server-file.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { makeDirectory, run } from '../run.ts'

const t = createTranslator('en')

test('without a wish the next free port is taken; one that was asked for and is taken is said to be', async () => {
  const taken = new Set([PORT, PORT + 1])
  const start = async (port: number) => {
    if (taken.has(port)) throw Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
    return port
  }
  expect(await listenOn(undefined, start, { t })).toBe(PORT + 2)
  expect(await listenOn(9, start, { t })).toBe(9)
  await expect(listenOn(PORT, start, { t })).rejects.toMatchObject({ code: 'port-taken', exit: 1 })
})

test('whoever serves a home is named, and one that stops is waited for', async () => {
  const notices: string[] = []
  const notice = async (line: string) => void notices.push(line)
  const place = { home: await makeDirectory(), json: false, signal: new AbortController().signal, t, notice }
  const first = await holdHome(place)
  await expect(holdHome(place, 0)).rejects.toMatchObject({
    code: 'already-serving',
    message: expect.stringContaining(`is starting, or does not answer (process ${process.pid})`),
  })
  expect(notices).toEqual(['another server of this home is starting or stopping; waiting for it'])
  const second = holdHome({ ...place, notice: () => first.release() })
  await (await second).release()
})

test('a log is private, is turned over at its limit, and five older ones are kept', async () => {
  const home = await makeDirectory()
  const log = openLogFile(home, 100)
  for (let n = 0; n < 12; n++) {
    log.line(`${n} ${'x'.repeat(60)}`)
    log.close()
  }
  const names = readdirSync(join(home, 'logs')).toSorted()
  expect(names).toEqual(['server.log', ...[1, 2, 3, 4, 5].map((n) => `server.log.${n}`)])
  expect(names.map((name) => readFileSync(join(home, 'logs', name), 'utf8').split(' ')[0])).toEqual([
    '11',
    '10',
    '9',
    '8',
    '7',
    '6',
  ])
  expect(statSync(log.path).mode & 0o777).toBe(0o600)
  expect(JSON.parse(logLine({ level: 'info', event: 'request', status: 200 }, 0))).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    level: 'info',
    event: 'request',
    status: 200,
  })
})

test('the note of a server is private, and only the server that wrote it takes it away', async () => {
  const home = await makeDirectory()
  await writeServerNote(home, { url: 'http://127.0.0.1:1', pid: 41, token: 'secret', startedAt: 5 })
  const path = join(home, 'server.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await removeServerNote(home, 42)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    ...{ url: 'http://127.0.0.1:1', pid: 41, token: 'secret', startedAt: 5 },
  })
  await removeServerNote(home, 41)
  expect(readdirSync(home)).toEqual([])
})

test.each([
  [['--host', '0.0.0.0'], 'exposed', '--behind-proxy'],
  [['--host', '192.168.1.20'], 'exposed', '--tls'],
  [['--port', '70000'], 'usage', '70000'],
  [['--port', 'http'], 'usage', 'http'],
  [['--root', 'nowhere'], 'usage', 'nowhere'],
  [['--allow-origin', 'example.com'], 'usage', 'https://example.com'],
  [['--allow-origin', 'https://example.com/path'], 'usage', 'is no origin'],
  [['--allow-host', 'https://maru.example.org'], 'usage', 'maru.example.org:8443'],
  [['--allow-host', 'maru.example.org:99999'], 'usage', 'is no host'],
  [['--tls', '--cert', 'a.pem'], 'usage', '--key'],
  [['--cert', 'a.pem', '--key', 'b.pem'], 'tls', 'a.pem'],
])('%j is refused before anything is opened, with what to do', async (args, code, words) => {
  const home = join(await makeDirectory(), 'home')
  const { code: exit, stdout } = await run(['serve', '--json', ...args], { env: { MARU_HOME: home, MARU_LANG: 'en' } })
  expect(exit).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'error', code, message: expect.stringContaining(words) })
})

test('settings of the server are checked like all others', async () => {
  const serve = {
    host: '::1',
    port: 70_000,
    roots: 'x',
    origins: ['nothing'],
    hosts: ['a/b'],
    messagesPerMinute: 0,
    hots: [],
  }
  const root = await makeDirectory({ 'home/config.json': JSON.stringify({ serve }) })
  const { code, stdout } = await run(['serve', '--json'], { env: { MARU_HOME: join(root, 'home'), MARU_LANG: 'en' } })
  expect(code).toBe(2)
  const { message, details } = JSON.parse(stdout) as { message: string; details: string[] }
  const told = [message, ...details].join('\n')
  for (const words of [
    'serve.port',
    '65535',
    'serve.roots',
    'serve.origins[0]',
    'serve.hosts[0]',
    'serve.messagesPerMinute',
    'serve.hots',
  ])
    expect(told).toContain(words)
})

test('a second server of a home is told where the first one is, also when that one is busy', async () => {
  const home = await makeDirectory()
  // One that is busy: nobody waits for a prompt here, so it has its time.
  const other = createServer((socket) => {
    socket.once('data', () => setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'), 500))
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(other.address() as { port: number }).port}`
  writeFileSync(join(home, 'server.json'), JSON.stringify({ url, pid: process.pid, token: 't' }))
  try {
    const { code, stderr } = await run(['serve'], { env: { MARU_HOME: home, MARU_LANG: 'en' } })
    expect(code).toBe(1)
    expect(stderr).toContain(url)
  } finally {
    other.close()
  }
})

test('a phone is shown a code, and where there is a terminal a picture of its link, also without colours', async () => {
  const link = 'https://192.168.1.20:4280/#pair=12345678'
  const server = { url: 'https://192.168.1.20:4280', makePairing: async () => ({ code: '12345678', link }) }
  const show = async (isTerminal: boolean, isColoured: boolean) => {
    const lines: string[] = []
    const stdout = {
      isTerminal,
      columns: 80,
      write: async () => undefined,
      line: async (text = '') => void lines.push(text),
    }
    const style = createStyle(isColoured)
    const invocation = { stdout, style, t, notice: async (line: string) => void lines.push(line) }
    const host = '0.0.0.0'
    await announcePairing(invocation as unknown as Invocation, { server: server as unknown as RunningServer, host })
    return lines
  }
  const piped = await show(false, false)
  expect(piped).toHaveLength(1)
  expect(piped[0]).toContain('12345678')
  const plain = await show(true, false)
  expect(plain.length).toBeGreaterThan(10)
  expect(plain.slice(0, -1).every((line) => /^[ ▀▄█]+$/.test(line))).toBe(true)
  const [first = ''] = await show(true, true)
  expect(first).toBe(`\x1b[97;40m${plain[0]}\x1b[0m`)
})
