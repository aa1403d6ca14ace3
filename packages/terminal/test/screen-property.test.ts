import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Frame, openScreen, widthOf } from '../src/index.ts'
import { VirtualPort } from './terminal-port.ts'
import { VirtualTerminal } from './virtual-terminal.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

// Everything that a screen puts off. Not simply all timers: a database that another test left open in this thread sets
// one anew whenever it is called before its time.
const settle = () => vi.advanceTimersByTimeAsync(1_000)

type Step =
  | { kind: 'print'; lines: string[] }
  | { kind: 'draw'; frame: Frame }
  | { kind: 'resize'; columns: number; rows: number }
  | { kind: 'suspend' }
  | { kind: 'wait' }

interface Bounds {
  columns: [number, number]
  rows: [number, number]
  /** The widest line that is printed, and of a frame. */
  printed: number
  drawn: number
  frameRows: number
}

const sign = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ 0123.') },
  { weight: 3, arbitrary: fc.constantFrom('한', '글', '漢', 'あ', '！') },
  { weight: 1, arbitrary: fc.constantFrom('🙂', '👩‍💻', '❤️', '🇰🇷', 'é', '\x1b[1mb\x1b[22m', '\x1b[31m') },
)

function lineOf(width: number): fc.Arbitrary<string> {
  return fc.array(sign, { maxLength: width }).map((signs) => {
    let line = ''
    for (const one of signs) if (widthOf(line + one) <= width) line += one
    return line
  })
}

function stepsIn({ columns, rows, printed, drawn, frameRows }: Bounds): fc.Arbitrary<Step[]> {
  const cursor = fc.record({ row: fc.nat(frameRows), column: fc.nat(drawn) })
  const frame = fc
    .record({ lines: fc.array(lineOf(drawn), { maxLength: frameRows }), cursor: fc.option(cursor, { nil: undefined }) })
    .map(({ lines, cursor }): Frame => {
      // A cursor as programs have it: in or just behind the text of a row.
      const row = Math.min(cursor?.row ?? 0, lines.length - 1)
      if (cursor === undefined || row < 0) return { lines }
      return { lines, cursor: { row, column: Math.min(cursor.column, widthOf(lines[row] ?? '')) } }
    })
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('print' as const),
        lines: fc.array(lineOf(printed), { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('draw' as const), frame }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('resize' as const),
        columns: fc.integer({ min: columns[0], max: columns[1] }),
        rows: fc.integer({ min: rows[0], max: rows[1] }),
      }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'wait' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'suspend' as const }) },
  )
  return fc.array(step, { maxLength: 30 })
}

const segmenter = new Intl.Segmenter()

/** What a person sees of a line: no colours, no blanks at the end, no more than fits. */
function seen(line: string, columns = Number.POSITIVE_INFINITY): string {
  let text = ''
  for (const { segment } of segmenter.segment(line.replace(/\p{Cc}\[\d+m/gu, ''))) {
    if (widthOf(text + segment) > columns) break
    text += segment
  }
  return text.trimEnd()
}

function play(options: { columns: number; rows: number; hasReflow: boolean }) {
  const terminal = new VirtualTerminal(options)
  const port = new VirtualPort(terminal)
  const screen = openScreen(port, { hasReflow: options.hasReflow })
  const printed: string[] = []
  let frame: Frame = { lines: [] }
  screen.draw(frame)
  return {
    terminal,
    printed,
    /** The rows of the newest frame as they should be seen, and where the cursor should be in them. */
    get live() {
      const hidden = Math.max(0, frame.lines.length - terminal.rows)
      const row = (frame.cursor?.row ?? -1) - hidden
      return {
        rows: frame.lines.slice(hidden).map((line) => seen(line, terminal.columns)),
        cursor:
          frame.cursor && row >= 0 ? { row, column: Math.min(frame.cursor.column, terminal.columns - 1) } : undefined,
      }
    },
    async take(step: Step) {
      if (step.kind === 'print') {
        screen.print(step.lines)
        printed.push(...step.lines.map((line) => seen(line)))
      } else if (step.kind === 'draw') {
        screen.draw(step.frame)
        frame = step.frame
      } else if (step.kind === 'resize') {
        // Nothing is under way: what is drawn in the moment before the signal arrives is a matter of luck.
        await settle()
        terminal.resize(step.columns, step.rows)
        screen.resized()
      } else if (step.kind === 'suspend') {
        await screen.suspend()
        expect(withoutEnd(terminal.lines)).toEqual(withoutEnd(printed))
        screen.resume()
      } else await settle()
      return step.kind === 'wait'
    },
  }
}

function withoutEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

function expectLive(
  terminal: VirtualTerminal,
  live: { rows: string[]; cursor: { row: number; column: number } | undefined },
) {
  expect(terminal.isCursorShown).toBe(live.cursor !== undefined)
  if (live.cursor) expect(terminal.column).toBe(live.cursor.column)
  const top = terminal.row - (live.cursor?.row ?? 0)
  expect(terminal.screenRows.slice(top, top + live.rows.length)).toEqual(live.rows)
  // Nothing is left below.
  expect(terminal.screenRows.slice(top + live.rows.length).join('')).toBe('')
}

test.each([
  // Where lines are cut and not wrapped, what is printed has to be narrow to be found again.
  { hasReflow: true, printed: 40 },
  { hasReflow: false, printed: 10 },
])(
  'whatever is printed, drawn and resized: printed lines in order, then the newest frame (wraps anew: $hasReflow)',
  async ({ hasReflow, printed }) => {
    const bounds: Bounds = { columns: [10, 40], rows: [17, 24], printed, drawn: 40, frameRows: 4 }
    await fc.assert(
      fc.asyncProperty(stepsIn(bounds), async (steps) => {
        const stage = play({ columns: 40, rows: 20, hasReflow })
        for (const step of [...steps, { kind: 'wait' as const }]) {
          if (!(await stage.take(step))) continue
          expect(withoutEnd(stage.terminal.lines)).toEqual(withoutEnd([...stage.printed, ...stage.live.rows]))
          expectLive(stage.terminal, stage.live)
        }
      }),
      { numRuns: 150 },
    )
  },
)

test.each([true, false])(
  'a live part that does not fit never eats what was printed (wraps anew: %s)',
  async (hasReflow) => {
    const bounds: Bounds = { columns: [4, 20], rows: [1, 7], printed: 4, drawn: 20, frameRows: 9 }
    await fc.assert(
      fc.asyncProperty(stepsIn(bounds), async (steps) => {
        const stage = play({ columns: 20, rows: 5, hasReflow })
        let count = 0
        for (const step of [...steps, { kind: 'wait' as const }]) {
          // Numbered, so that a frame cannot be taken for what was printed.
          if (step.kind === 'suspend') continue
          const given =
            step.kind === 'print' ? { ...step, lines: step.lines.map(() => `#${(count++).toString(36)};`) } : step
          if (!(await stage.take(given))) continue
          // Rows of a frame that were pushed into the scrollback stay there, and may be joined with what was printed next.
          expect(stage.terminal.lines.join('\n').match(/#\w+;/g) ?? []).toEqual(stage.printed)
          expectLive(stage.terminal, stage.live)
        }
      }),
      { numRuns: 150 },
    )
  },
)
