import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyReader, type Key } from '../src/index.ts'

const fragment = fc.oneof(
  fc.constantFrom(
    ...['\x1b', '\x1b[', '\x1bO', '\x1b]', '\x1bP', '\x1b[200~', '\x1b[201~', '\x1b[A', '\x1b[1;5C', '\x1b[31;5u'],
    ...[
      '\x1b[[',
      '\x1b[M',
      '\x07',
      '\x1b\\',
      '\r',
      '\n',
      '\x7f',
      '\0',
      '[',
      '~',
      '$',
      ';',
      ':',
      '1',
      'u',
      '한',
      '🙂',
      'é',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const input = fc.oneof(
  fc.array(fragment, { maxLength: 30 }).map((parts) => Uint8Array.from(Buffer.from(parts.join('')))),
  fc.uint8Array({ maxLength: 60 }),
  fc
    .tuple(
      fc.array(fragment, { maxLength: 10 }),
      fc.uint8Array({ maxLength: 6 }),
      fc.array(fragment, { maxLength: 10 }),
    )
    .map(([before, noise, after]) =>
      Uint8Array.from([...Buffer.from(before.join('')), ...noise, ...Buffer.from(after.join(''))]),
    ),
)

/** Text that came in several pieces is the same text. */
function merged(keys: readonly Key[]): Key[] {
  const all: Key[] = []
  for (const key of keys) {
    const last = all.at(-1)
    if (key.kind === 'text' && last?.kind === 'text') all[all.length - 1] = { kind: 'text', text: last.text + key.text }
    else all.push(key)
  }
  return all
}

test('bytes cut at any place give the same keys as in one piece', () => {
  fc.assert(
    fc.property(input, fc.array(fc.nat(200), { maxLength: 8 }), (sent, cuts) => {
      const whole = createKeyReader()
      const expected = [...whole.read(sent), ...whole.flush()]
      const reader = createKeyReader()
      const places = [0, ...cuts.filter((at) => at < sent.length).sort((a, b) => a - b), sent.length]
      const pieces = places.slice(1).map((end, i) => sent.subarray(places[i], end))
      const keys = pieces.flatMap((piece) => reader.read(piece))
      expect(merged([...keys, ...reader.flush()])).toEqual(merged(expected))
    }),
    { numRuns: 1500 },
  )
})

test('byte by byte, with a silence after each, nothing throws and no control character becomes text', () => {
  fc.assert(
    fc.property(input, (sent) => {
      const reader = createKeyReader()
      for (const byte of sent) {
        for (const key of [...reader.read(Uint8Array.of(byte)), ...(reader.isWaiting ? reader.flush() : [])]) {
          if (key.kind === 'text') expect(key.text).not.toMatch(/\p{Cc}/u)
          if (key.kind === 'key') expect(key.name).not.toMatch(/^$|\p{Cc}/u)
        }
      }
      // Whatever came before, a person can go on: the way out of a paste, then of a sequence, then a key.
      reader.abandonPaste()
      reader.read(Uint8Array.from([0x0d, 0x0d, 0x0d]))
      expect(reader.read(Buffer.from('x'))).toEqual([{ kind: 'text', text: 'x' }])
    }),
    { numRuns: 1000 },
  )
})
