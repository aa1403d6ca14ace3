import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, openBench } from '../bench-of-tools.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.dispose())

// By what the platform decodes, so that our own encoder is not its own judge.
const eucKr = new Map<string, number[]>()
const decoder = new TextDecoder('euc-kr')
for (let lead = 0xb0; lead <= 0xc8; lead++) {
  for (let trail = 0xa1; trail <= 0xfe; trail++) eucKr.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
}

const ENCODERS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with a mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'utf-16le': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'euc-kr': (text: string) => Buffer.from([...text].flatMap((sign) => eucKr.get(sign) ?? [sign.charCodeAt(0)])),
}

const hangul = fc.constantFrom('가나다라', '마루는 열린 바닥', '한국어 문장입니다', '값을 더한다', '시험')
const line = fc.tuple(hangul, fc.stringMatching(/^[ a-z(){};]{0,20}$/)).map(([korean, rest]) => `${korean} ${rest}`)

test('whatever form a file has, a patch changes the lines it names and not a byte beside them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        encoding: fc.constantFrom(...(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])),
        eol: fc.constantFrom('\n', '\r\n'),
        hasFinalNewline: fc.boolean(),
        isExecutable: fc.boolean(),
        before: fc.array(line, { minLength: 3, maxLength: 12 }),
        after: fc.array(line, { minLength: 3, maxLength: 12 }),
        added: line,
      }),
      async ({ encoding, eol, hasFinalNewline, isExecutable, before, after, added }) => {
        const written = (middle: string) =>
          ENCODERS[encoding]([...before, middle, ...after].join(eol) + (hasFinalNewline ? eol : ''))
        const path = await bench.put('form.txt', written('바꿀 줄 #1'))
        chmodSync(path, isExecutable ? 0o755 : 0o640)
        const [above, below] = [before.slice(-3), after.slice(0, 3)]
        const isLast = below.length === after.length && !hasFinalNewline
        const patch = [
          '--- a/form.txt',
          '+++ b/form.txt',
          `@@ -${before.length - 2},7 +${before.length - 2},7 @@`,
          ...above.map((text) => ` ${text}`),
          '-바꿀 줄 #1',
          `+${added}`,
          ...below.map((text) => ` ${text}`),
          ...(isLast ? ['\\ No newline at end of file'] : []),
          '',
        ].join('\n')
        const result = await bench.call('ApplyPatch', { patch })
        expect(result).toMatchObject({ ok: true })
        expect(readFileSync(join(bench.root, 'form.txt'))).toEqual(written(added))
        expect(statSync(path).mode & 0o777).toBe(isExecutable ? 0o755 : 0o640)
      },
    ),
    { numRuns: 150 },
  )
})
