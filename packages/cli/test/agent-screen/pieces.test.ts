import { createTextStyle, renderMarkdown, widthOf } from '@maru/terminal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeFrame } from '../../src/agent/compose-frame.ts'
import { createPrintQueue } from '../../src/agent/print-queue.ts'
import { createSpeech } from '../../src/agent/speech.ts'
import { createToolOutput } from '../../src/agent/tool-output.ts'

const style = createTextStyle(false)

test('however a text arrives, cut, repeated or with pieces lost, what is printed is the whole', () => {
  const markdown = fc
    .array(
      fc.constantFrom(
        '# t\n',
        'word ',
        '한글 ',
        '**b**',
        '`c`',
        '\n',
        '\n\n',
        '- item\n',
        '```\n',
        '👩‍💻',
        '\r\n',
        '| a |',
      ),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(markdown, fc.array(fc.nat(6)), fc.array(fc.boolean()), (text, cuts, losses) => {
      const speech = createSpeech(style)
      const printed: string[] = []
      let at = 0
      for (const [index, length] of [...cuts, text.length].entries()) {
        const piece = text.slice(at, at + length)
        if (losses[index] !== true) speech.add(0, at, piece)
        // What comes a second time is known already.
        if (index % 3 === 0) speech.add(0, at, piece)
        at += piece.length
        if (index % 2 === 0) printed.push(...speech.take(40))
      }
      speech.end([text])
      printed.push(...speech.take(40))
      expect(printed).toEqual(renderMarkdown(text.replaceAll('\r\n', '\n'), { style, width: 40 }))
    }),
  )
})

test('texts of one turn are set apart', () => {
  const speech = createSpeech(style)
  speech.add(0, 0, 'first')
  speech.add(2, 0, 'second')
  const early = speech.take(40)
  speech.end(['first', 'second'])
  expect([...early, ...speech.take(40)]).toEqual(['first', '', 'second'])
})

test('of a long past the end is shown, and how much is not', () => {
  const queue = createPrintQueue((count) => `${count} earlier`)
  queue.readPast()
  for (let at = 0; at < 100; at++) queue.add(`block ${at}`, () => [`line ${at}`])
  expect(queue.take(80)).toEqual([])
  queue.endPast()
  const lines = queue.take(80)
  expect(lines[0]).toBe('40 earlier')
  expect(lines.filter((line) => line !== '').slice(1)).toEqual(Array.from({ length: 60 }, (_, at) => `line ${at + 40}`))
  expect(queue.take(80)).toEqual([])
})

test('blocks of the same kind stand together, others apart', () => {
  const queue = createPrintQueue(() => '')
  queue.add('step', () => ['one'])
  queue.add('step', () => ['two'])
  queue.add('note', () => [])
  queue.add('text', () => ['three'])
  expect(queue.take(80)).toEqual(['one', 'two', '', 'three'])
  expect([queue.isApart('text'), queue.isApart('step')]).toEqual([false, true])
})

test('the end of an output is what a terminal would show of it, however much came before', () => {
  const output = createToolOutput()
  output.push('x'.repeat(100_000))
  output.push('\n10 %\r50 %\r100 %\r\n\x1b[31mred\x1b[0m\tend\x1b]0;title\x07\n')
  expect(output.last(2)).toEqual(['100 %', 'red  end'])
  expect(output.last(0)).toEqual([])
})

test('what is drawn never takes more rows than there are, and the cursor stands in it', () => {
  const count = fc.nat(30)
  fc.assert(
    fc.property(count, count, count, fc.integer({ min: 3, max: 60 }), (body, middle, low, rows) => {
      const of = (name: string, length: number) => Array.from({ length }, (_, at) => `${name} ${at}`)
      const frame = composeFrame(
        {
          body: (room) => of('body', Math.min(body, room)),
          middle: of('middle', middle),
          bottom: (room) => ({ lines: of('low', Math.max(1, Math.min(low, room))), cursor: { row: 0, column: 2 } }),
          isPrompt: low % 2 === 0,
          foot: 'foot',
        },
        rows,
      )
      expect(frame.lines.length).toBeLessThanOrEqual(rows)
      expect(frame.lines.at(-1)).toBe('foot')
      expect(frame.lines[frame.cursor?.row ?? -1]).toBe('low 0')
      expect(frame.lines.every((line) => widthOf(line) < 80)).toBe(true)
    }),
  )
})
