import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface Row {
  id: string
  label: 'secret' | 'clean'
  kind: string
  text: string
  secret?: string
}

const corpora = process.env['MARU_CORPORA']
const file = join(corpora ?? '', 'secrets/secrets.jsonl.gz')
const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

let home: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  home = await temporaryDirectory()
})
afterAll(() => home.dispose())

/** Standard input in pieces of these lengths through the built program. */
function redact(bytes: Buffer, lengths: readonly number[]): Promise<Buffer> {
  const env = { PATH: process.env['PATH'], MARU_HOME: home.path, MARU_LANG: 'en' }
  const child = spawn(process.execPath, [maru, 'redact'], { env, stdio: ['pipe', 'pipe', 'inherit'], cwd: home.path })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? bytes.length
    child.stdin.write(bytes.subarray(at, at + length))
    at += length
  }
  child.stdin.end()
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`exit code ${code}`)),
    )
  })
}

// A line that no secret can go across.
const BORDER = '\n----- 8< -----\n'

test.for([
  ['in one piece', [1 << 20]],
  ['in pieces of 1 to 7 bytes', [1, 2, 3, 4, 5, 6, 7]],
] as const)('the corpus of secrets through maru redact, %s', { timeout: 120_000 }, async ([, lengths], context) => {
  if (!corpora || !existsSync(file)) context.skip('$MARU_CORPORA does not name the test corpora')
  const rows = gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
  const text = rows.map((row) => row.text).join(BORDER)
  const redacted = (await redact(Buffer.from(text), lengths)).toString().split(BORDER)
  expect(redacted.length).toBe(rows.length)
  const secrets = rows.flatMap((row, at) => (row.label === 'secret' ? [{ row, out: redacted[at] ?? '' }] : []))
  const clean = rows.flatMap((row, at) => (row.label === 'clean' ? [{ row, out: redacted[at] ?? '' }] : []))
  const missed = secrets.filter(({ row, out }) => out.includes(row.secret ?? row.text))
  const alarms = clean.filter(({ row, out }) => out !== row.text)
  expect(secrets.length).toBeGreaterThan(50)
  expect(clean.length).toBeGreaterThan(30)
  expect({ missed, alarms }).toEqual({ missed: [], alarms: [] })
})

test('what is no secret comes out byte for byte, also what is no text', { timeout: 180_000 }, async () => {
  const bytes = Buffer.alloc(200_000, 0)
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 7 + (at >> 8) * 13) & 255
  expect((await redact(bytes, [4_096, 1, 333])).equals(bytes)).toBe(true)
})
