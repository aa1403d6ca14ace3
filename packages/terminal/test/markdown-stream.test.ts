import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMarkdownStream, createTextStyle, renderMarkdown, type TextStyle, widthOf } from '../src/index.ts'
import { inPieces, longText, markdownText, unstyled } from './markdown-samples.ts'

const coloured = createTextStyle(true)
const plain = createTextStyle(false)
const anyText = fc.oneof({ weight: 4, arbitrary: markdownText }, longText)
const anyWidth = fc.integer({ min: 10, max: 120 })
const anyStyle = fc.constantFrom(coloured, plain)

function streamed(pieces: readonly string[], { style = plain, width = 80, looks = true } = {}): string[] {
  const stream = createMarkdownStream({ style })
  const lines: string[] = []
  for (const piece of pieces) {
    stream.push(piece)
    if (!looks) continue
    lines.push(...stream.takeFinished(width))
    stream.tail(width, 20)
  }
  return [...lines, ...stream.end(width)]
}

describe('however a text arrives', () => {
  const isTheSame = (text: string, pieces: readonly string[], options: { width: number; style: TextStyle }) => {
    const whole = renderMarkdown(text, options)
    expect(streamed(pieces, options)).toEqual(whole)
    expect(streamed(pieces, { ...options, looks: false })).toEqual(whole)
  }
  const sizes = (min: number, max: number) => fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 10 })

  test('what is finished on the way is what the whole gives', () => {
    fc.assert(
      fc.property(markdownText, sizes(1, 30), anyWidth, anyStyle, (text, cuts, width, style) =>
        isTheSame(text, inPieces(text, cuts), { width, style }),
      ),
      { numRuns: 300 },
    )
  })

  test('also where a block is so long that it is given away in parts', () => {
    fc.assert(
      fc.property(longText, sizes(100, 3_000), anyWidth, anyStyle, (text, cuts, width, style) =>
        isTheSame(text, inPieces(text, cuts), { width, style }),
      ),
      { numRuns: 60 },
    )
  })

  test('no line is wider than the terminal and no control character gets through', () => {
    fc.assert(
      fc.property(anyText, anyWidth, anyStyle, (text, width, style) => {
        const stream = createMarkdownStream({ style })
        stream.push(text)
        const lines = [...stream.tail(width), ...renderMarkdown(text, { style, width })]
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
          expect(unstyled(line)).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('while a text streams', () => {
  const width = 80

  function open(text: string, style = plain) {
    const stream = createMarkdownStream({ style })
    stream.push(text)
    return { stream, finished: stream.takeFinished(width) }
  }

  test('a block is finished when the next one begins, and shown before', () => {
    const { stream, finished } = open('# Title\n\nSome wor')
    expect(finished).toEqual(['# Title'])
    expect(stream.tail(width)).toEqual(['', 'Some wor'])
    stream.push('ds\n\n- a')
    expect(stream.takeFinished(width)).toEqual(['', 'Some words'])
    expect(stream.tail(width)).toEqual(['', '• a'])
    expect(stream.end(width)).toEqual(['', '• a'])
    expect(stream.end(width)).toEqual([])
  })

  test('each line of code is finished at its end, and each item of a list', () => {
    const { stream, finished } = open('```ts\none\ntwo\nthr')
    expect(finished).toEqual(['  one', '  two'])
    expect(stream.tail(width)).toEqual(['  thr'])
    expect(open('- a\n  - b\n- c\n').finished).toEqual(['• a', '  • b'])
  })

  test('a tail shows only its end where there is no room', () => {
    const { stream } = open(
      Array.from({ length: 30 }, (_, row) => `| ${row} |`)
        .join('\n')
        .replace('\n', '\n|---|\n'),
    )
    expect(stream.tail(width, 2)).toEqual(['28', '29'])
    expect(stream.tail(width, 0)).toEqual([])
    expect(stream.tail(width).length).toBe(31)
  })

  test('however long a block gets, little of it is under way', () => {
    const words = 'some words with **bold** and `code` in them '
    for (const block of [words.repeat(3_000), '한국어문장'.repeat(10_000), '漢'.repeat(50_000), '**a '.repeat(20_000)])
      expect(open(block).stream.tail(width).length).toBeLessThan(120)
    expect(open(`\`\`\`\n${'x'.repeat(100_000)}`).stream.tail(width).length).toBeLessThan(20)
    expect(open(`| a |\n|---|\n${'| b |\n'.repeat(5_000)}`).stream.tail(width).length).toBeLessThan(5)
    expect(open(`> - ${words.repeat(3_000)}`).stream.tail(width).length).toBeLessThan(120)
  })

  test('a paragraph that is given away in parts is wrapped as one', () => {
    const words = Array.from({ length: 4_000 }, (_, word) => `w${word}`)
    const lines = renderMarkdown(words.join(' '), { style: plain, width })
    expect(lines.join(' ').split(' ')).toEqual(words)
    // Every row is as full as it can be.
    for (const [row, line] of lines.slice(0, -1).entries())
      expect(line.length + 1 + (lines[row + 1]?.split(' ')[0]?.length ?? 0)).toBeGreaterThan(width)
  })

  test('what has begun is shown as if it ended here', () => {
    expect(open('a **b', coloured).stream.tail(width)).toEqual(['a \x1b[1mb\x1b[22m'])
    expect(open('a `b', coloured).stream.tail(width)).toEqual(['a \x1b[36mb\x1b[39m'])
    expect(open('a **b', coloured).stream.end(width)).toEqual(['a **b'])
  })

  test.each(['-', '--', '=', '```', '- [', '#', '1.', '|--', '>'])(
    'signs alone wait for what they mean: %s',
    (signs) => {
      expect(open(`text\n${signs}`).stream.tail(width)).toEqual(['text'])
    },
  )

  test('on a terminal that gets narrower, what is not taken yet is laid out again', () => {
    const stream = createMarkdownStream({ style: plain })
    stream.push('one two three four\n\n')
    expect(stream.tail(80)).toEqual([])
    expect(stream.takeFinished(10)).toEqual(['one two', 'three four'])
  })

  test('half a character waits for its other half', () => {
    const { stream } = open('a \ud83c')
    expect(stream.tail(width)).toEqual(['a '.trimEnd()])
    stream.push('\udf89')
    expect(stream.end(width)).toEqual(['a 🎉'])
  })
})
