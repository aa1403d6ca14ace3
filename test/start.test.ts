import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What `npm start` runs, with a home of its own.
const script = join(import.meta.dirname, '../scripts/start.mjs')
const START_MS = 180_000
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'maru-start-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

function start(...args: string[]) {
  const env = { ...process.env, MARU_HOME: home, MARU_LANG: 'en', DATABASE_URL: '', npm_lifecycle_event: 'start' }
  const child = spawn(process.execPath, [script, '--port', '0', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { stdout: '', stderr: '' }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const until = new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      written.stdout += String(data)
      if (written.stdout.includes(args.includes('--json') ? '\n' : 'Ctrl-C')) resolve()
    })
    child.stderr.on('data', (data) => {
      written.stderr += String(data)
    })
    void ended.then(() => resolve())
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { written, until, stop }
}

test('npm start prints the link and how to begin in a terminal, and puts a demo into an empty history', {
  timeout: START_MS,
}, async () => {
  const { written, until, stop } = start()
  try {
    await until
    expect(written).toMatchObject({
      stdout: expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/),
      stderr: expect.stringContaining('a demo conversation is in it now'),
    })
    expect(written.stdout).toContain('npx maru')
    expect(await stop()).toBe(130)
  } finally {
    await stop()
  }
})

test('the next start finds the demo over the API by a Korean word inside a longer one', {
  timeout: START_MS,
}, async () => {
  const { written, until, stop } = start('--json')
  try {
    await until
    const { url, token } = JSON.parse(written.stdout) as { url: string; token: string }
    expect(written.stderr).not.toContain('demo')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v1/search?q=${encodeURIComponent('베이스')}`, { headers })
    const { items } = (await answer.json()) as { items: { conversation: string; snippet: string }[] }
    expect(items).toMatchObject([{ conversation: 'demo', snippet: expect.stringContaining('데이터베이스에서') }])
    expect(await stop()).toBe(130)
  } finally {
    await stop()
  }
})
