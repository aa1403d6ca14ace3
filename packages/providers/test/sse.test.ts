import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSseReader, MAX_EVENT_LENGTH, printSseEvent, SseLimitError } from '../src/sse.ts'
import { createUtf8Decoder } from '../src/utf8.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => createSseReader().push(bytesOf(text))

describe('events as the standard has them', () => {
  test.each([
    ['data: a\n\n', [{ data: 'a' }]],
    ['data:a\n\n', [{ data: 'a' }]],
    ['data:  a\n\n', [{ data: ' a' }]],
    ['data: a\ndata: b\n\n', [{ data: 'a\nb' }]],
    ['data\n\n', [{ data: '' }]],
    ['data:\ndata:\n\n', [{ data: '\n' }]],
    ['event: x\ndata: a\n\ndata: b\n\n', [{ event: 'x', data: 'a' }, { data: 'b' }]],
    ['event: x\n\ndata: b\n\n', [{ data: 'b' }]],
    [': comment\n\ndatum: a\nid: 7\nretry: 3\ndata: b\n\n', [{ data: 'b' }]],
    ['data: a', []],
    ['data: a\n', []],
    ['\uFEFFdata: a\n\n', [{ data: 'a' }]],
    ['data: \u2028\u2029\u0085\n\n', [{ data: '\u2028\u2029\u0085' }]],
  ])('%j', (text, events) => {
    expect(read(text)).toEqual(events)
    expect(read(text.replaceAll('\n', '\r\n'))).toEqual(events)
  })

  test('an event without end is refused before it fills the memory', () => {
    const reader = createSseReader()
    const piece = new Uint8Array(MAX_EVENT_LENGTH / 4 + 1).fill(97)
    const push = () => reader.push(piece)
    for (const _ of [1, 2, 3]) expect(push()).toEqual([])
    expect(push).toThrow(SseLimitError)
  })

  test('what is printed is read again', () => {
    const event = fc.record({ event: fc.stringMatching(/^[a-z._]+$/), data: fc.string({ unit: 'grapheme' }) })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        // A carriage return cannot stand in a line.
        const clean = events.map(({ event: name, data }) => ({ event: name, data: data.replaceAll('\r', '') }))
        expect(read(clean.map(printSseEvent).join(''))).toEqual(clean)
      }),
    )
  })
})

test('UTF-8 in any pieces is the same text, and what is no UTF-8 is replaced as a whole decoder would', () => {
  const bytes = fc.oneof(fc.string({ unit: 'binary' }).map(bytesOf), fc.uint8Array({ maxLength: 40 }))
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 5 }), (all, size) => {
      const decode = createUtf8Decoder()
      let text = ''
      for (let at = 0; at < all.length; at += size) text += decode(all.subarray(at, at + size))
      // What is left unfinished at the end is never said: a stream ends with a line feed.
      expect(text + decode(bytesOf('\n'))).toBe(new TextDecoder().decode(Uint8Array.from([...all, 10])))
    }),
    { numRuns: 1_000 },
  )
})
