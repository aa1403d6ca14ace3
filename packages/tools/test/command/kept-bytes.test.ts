import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeptBytes } from '../../src/command/kept-bytes.ts'
import { createShownOutput } from '../../src/command/shown-output.ts'

const chunks = fc.array(fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes.map((byte) => byte % 128))))

test('the beginning, the end and the length are exact, whatever was pushed and from where it is read', () => {
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 40 }), fc.nat(200), (pushed, limit, offset) => {
      const kept = createKeptBytes(limit)
      for (const chunk of pushed) {
        const passing = Buffer.from(chunk)
        kept.push(passing)
        passing.fill('!')
      }
      const all = Buffer.concat(pushed).toString()
      const { before, cut, after } = kept.pieces(offset)
      expect(kept.length).toBe(all.length)
      expect(before + all.slice(offset + before.length, offset + before.length + cut) + after).toBe(all.slice(offset))
      // Nothing is cut but what is neither in the beginning nor in the end.
      const missing = Math.max(0, all.length - limit - Math.max(limit, offset))
      expect(cut).toBe(offset >= all.length ? 0 : missing)
    }),
  )
})

test('no character is broken at the cut', () => {
  for (const sign of ['é', '한', '🙂']) {
    for (let shift = 0; shift < 4; shift++) {
      const kept = createKeptBytes(40)
      kept.push(Buffer.from('x'.repeat(shift) + sign.repeat(100)))
      const text = kept.text(0)
      expect(text).not.toContain('\uFFFD')
      expect(text).toMatch(/^x*\S+\n\[… \d+ bytes are not kept: only the first and the last 40 are …\]\n\S+$/u)
    }
  }
})

test('what is shown of a flood is within its limit, and says how much is missing', () => {
  const text = fc.tuple(fc.constantFrom('x', '한', '🙂'), fc.nat(100_000)).map(([sign, count]) => sign.repeat(count))
  fc.assert(
    fc.property(text, fc.integer({ min: 200, max: 9_400 }), (all, limit) => {
      const shown = createShownOutput()
      shown.push(Buffer.from(all))
      const within = shown.within(limit)
      expect(within.length).toBeLessThanOrEqual(limit)
      expect(Buffer.from(within).toString()).toBe(within)
      expect(shown.length > limit).toBe(all.length > limit)
      if (all.length <= limit) expect(within).toBe(all)
      const [, start = '', count, unit, end = ''] = /^(.*)\n\[… (\d+) (\w+) cut …\]\n(.*)$/s.exec(within) ?? []
      const size = (part: string) => (unit === 'bytes' ? Buffer.byteLength(part) : part.length)
      if (all.length > limit) expect(size(start) + Number(count) + size(end)).toBe(size(all))
    }),
    { numRuns: 50 },
  )
})
