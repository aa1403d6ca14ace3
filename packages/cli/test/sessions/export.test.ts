import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import type { Fact, Recorded } from '@maru/protocol'
import { createMemoryBlobs } from '@maru/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportSession } from '../../src/sessions/export/export-session.ts'
import type { ExportFormat } from '../../src/sessions/export/exported.ts'
import { createFenceWatch, fenceFor } from '../../src/sessions/export/fences.ts'
import { by, conversation, makePlace, text } from './place.ts'

test('Markdown holds what was said and nothing else, until metadata is asked for', async () => {
  const place = await makePlace()
  place.put('s', conversation('/repo'))
  const plain = await place.maru('sessions', 'export', 's')
  expect(plain.stdout).toBe(`# 서버를 고쳐 주세요

## You

서버를 고쳐 주세요

## Maru

파일을 보겠습니다.

**고쳤습니다.**

\`\`\`ts
listen(8080)
\`\`\`

## You

And add a test

## Maru

Added <script>alert(1)</script> & done.
`)
  const { stdout } = await place.maru('sessions', 'export', 's', '--metadata', '--lang', 'ko')
  expect(stdout).toContain('- 세션: s\n- 시작: 2026-09-21T14:13:20Z\n')
  expect(stdout).toContain('- 토큰: 입력 15,000, 출력 350\n')
  expect(stdout).toContain('*2026-09-21T14:13:24Z · claude-sonnet-5-5 · 입력 4,000, 출력 100*')
  // What a tool returned cannot end its own block.
  expect(stdout).toContain('**[tool] ReadFile · 성공 · 2 ms**\n\n```json\n{\n  "path": "src/server.ts"\n}\n```\n')
  expect(stdout).toContain('````text\nlisten(80)\n```\nnot a fence\n````\n')
})

test('JSON is one object, with the calls where metadata is asked for', async () => {
  const place = await makePlace()
  place.put('s', conversation('/repo'))
  const plain = JSON.parse((await place.maru('sessions', 'export', 's', '--json')).stdout)
  expect(plain).toMatchObject({ format: 'maru-conversation', version: 1, id: 's', title: '서버를 고쳐 주세요' })
  expect(plain.messages).toEqual([
    { seq: 2, role: 'user', text: '서버를 고쳐 주세요' },
    { seq: 5, role: 'assistant', text: '파일을 보겠습니다.' },
    { seq: 9, role: 'assistant', text: '**고쳤습니다.**\n\n```ts\nlisten(8080)\n```' },
    { seq: 11, role: 'user', text: 'And add a test' },
    { seq: 14, role: 'assistant', text: 'Added <script>alert(1)</script> & done.' },
  ])
  const { stdout } = await place.maru('sessions', 'export', 's', '--format', 'json', '--metadata')
  const whole = JSON.parse(stdout)
  expect(whole).toMatchObject({ cwd: '/repo', turns: 3, usage: { input: 15_000, output: 350 } })
  expect(whole.messages[0]).toMatchObject({ kind: 'note', seq: 1 })
  expect(whole.messages[2]).toMatchObject({
    kind: 'message',
    model: 'claude-sonnet-5-5',
    calls: [
      {
        callId: 'c1',
        tool: 'ReadFile',
        state: 'ok',
        args: { path: 'src/server.ts' },
        output: 'listen(80)\n```\nnot a fence',
      },
    ],
  })
})

test('text and JSONL come out as well, and --json stays JSON', async () => {
  const place = await makePlace()
  place.put('s', conversation('/repo'))
  const { stdout } = await place.maru('sessions', 'export', 's', '--format', 'txt')
  expect(stdout.startsWith('서버를 고쳐 주세요\n==================\n\n[You]\n서버를 고쳐 주세요\n')).toBe(true)
  expect((await place.maru('sessions', 'export', 's', '--format', 'jsonl')).stdout).toBe(
    readFileSync(place.fileOf('s'), 'utf8'),
  )
  const refused = await place.maru('sessions', 'export', 's', '--format', 'html', '--json')
  expect(refused.code).toBe(2)
})

test('a page is one file that asks for nothing: escaped, without script, with a strict policy', async () => {
  const place = await makePlace()
  place.put('s', conversation('/repo', ['<img src=x onerror=alert(1)>', '"quoted" & \u001b[31mred\u202e']))
  const output = join(place.base, 's.html')
  const { code, stdout } = await place.maru('sessions', 'export', 's', '--metadata', '--output', output)
  expect([code, stdout]).toEqual([0, `written to ${output}\n`])
  const page = readFileSync(output, 'utf8')
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(page).toMatch(/content="default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:/)
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(page).toContain('<strong>고쳤습니다.</strong>')
  expect(page).toContain('<pre><code>listen(8080)\n</code></pre>')
  expect(page).toContain('<summary>ReadFile · ok · 2 ms</summary>')
  for (const evil of ['<script', '<img src=x', '\u001b', '\u202e']) expect(page).not.toContain(evil)
  expect(page).not.toMatch(/(src|href|url\()=?["']?https?:/)
  expect(page).toMatch(/word-break:keep-all/)
  const again = await place.maru('sessions', 'export', 's', '--output', output)
  expect([again.code, again.stderr]).toEqual([1, `maru: ${output} could not be written: it is there already\n`])
})

test('a fork is exported with what it has from its parent, and hidden messages are not', async () => {
  const place = await makePlace()
  place.put('s', [
    ...conversation('/repo'),
    { type: 'message-hide', key: 'h', by, target: 11 } satisfies Fact,
    { type: 'input-admit', key: 'c', by, delivery: 'queue', parts: [text('last words')] },
  ])
  const { id } = JSON.parse((await place.maru('sessions', 'fork', 's', '--json')).stdout)
  const { stdout } = await place.maru('sessions', 'export', id, '--metadata')
  expect(stdout).toContain('서버를 고쳐 주세요')
  expect(stdout).toContain('last words')
  expect(stdout).toContain('- Fork of: s \\#17')
  expect(stdout).not.toContain('And add a test')
})

test('an exported log with its content beside it is a session: it can be replayed and gone on with', async () => {
  const place = await makePlace({ 'a.txt': 'one\n' })
  const long = 'long words '.repeat(4_000)
  const { code } = await place.work([{ reply: [{ text: long }] }], '--session', 'first', 'Say much')
  expect(code).toBe(0)
  const output = join(place.base, 'copy.jsonl')
  await place.maru('sessions', 'export', 'first', '--output', output)
  expect((await place.maru('replay', '--verify', output)).stdout).toContain('verified: 1 request')
  const { stdout } = await place.maru('sessions', 'export', output)
  expect(stdout).toContain(long.trim())
  const next = await place.work([{ reply: [{ text: 'Gone on.' }] }], '--session', output, 'Go on')
  expect(JSON.stringify(next.requests[0]?.body)).toContain(long.slice(0, 200))
  expect(next.stdout).toContain('Gone on.')
})

const FORMATS: ExportFormat[] = ['md', 'json', 'txt', 'html']

test.each(FORMATS)('%s: little is held at a time, however long the log and its contents are', async (format) => {
  const blobs = createMemoryBlobs()
  const filler = '가나다라 abc '.repeat(20_000)
  const blob = await blobs.put('s', filler)
  const TURNS = 100
  const passes: number[] = []
  async function* read(): AsyncGenerator<Recorded> {
    const pass = passes.push(0) - 1
    let seq = 0
    const record = (fact: Fact): Recorded => ({ ...fact, seq: ++seq, at: 1_790_000_000_000 + seq, v: 1 })
    yield record({ type: 'session-start', agent: { kind: 'maru' }, door: 'terminal' })
    for (let n = 0; n < TURNS; n++) {
      passes[pass] = n
      yield record({ type: 'turn-start', turnId: `t${n}`, runId: 'r' })
      const parts = [{ ...text(filler.slice(0, 100)), blob }]
      yield record({ type: 'turn-end', turnId: `t${n}`, stop: 'end', parts })
    }
  }
  const options = { format, hasMetadata: true, t: createTranslator('en'), lang: 'en' as const }
  let units = 0
  let largest = 0
  let ahead = 0
  for await (const piece of exportSession({ log: { read }, blobs, id: 's' }, options)) {
    units += piece.length
    largest = Math.max(largest, piece.length)
    ahead = Math.max(ahead, (passes[1] ?? 0) - units / filler.length)
  }
  expect(units).toBeGreaterThan(TURNS * filler.length)
  expect(largest).toBeLessThan(100_000)
  // What is read is written before more is read.
  expect(ahead).toBeLessThan(3)
})

test('a block of code that a message leaves open is closed behind it, and a fence cannot be closed from inside', () => {
  const closingOf = (words: string) => {
    const watch = createFenceWatch()
    watch.feed(words)
    return watch.closing()
  }
  expect(closingOf('a\n```ts\nx')).toBe('\n```')
  expect(closingOf('a\n````\n```\n')).toBe('````')
  expect(closingOf('a\n```\nx\n```\nb')).toBe('')
  expect(closingOf('~~~\n```\n')).toBe('~~~')
  expect(closingOf('``` a `b` ```')).toBe('')
  fc.assert(
    fc.property(fc.stringMatching(/^[`a\n]{0,40}$/), (words) => {
      expect(words).not.toContain(fenceFor(words))
    }),
  )
})
