import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScreen, type ScreenOptions } from '../src/index.ts'
import { VirtualPort } from './terminal-port.ts'
import { VirtualTerminal, type VirtualTerminalOptions } from './virtual-terminal.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function open(given: Partial<VirtualTerminalOptions> = {}, options?: ScreenOptions) {
  const terminal = new VirtualTerminal({ columns: 20, rows: 8, ...given })
  const port = new VirtualPort(terminal)
  const screen = openScreen(port, { hasReflow: terminal.hasReflow, ...options })
  const resize = (newColumns: number, newRows = terminal.rows) => {
    terminal.resize(newColumns, newRows)
    screen.resized()
  }
  return { terminal, port, screen, resize }
}

// Everything that a screen puts off. Not simply all timers: a database that another test left open in this thread sets
// one anew whenever it is called before its time.
const settle = () => vi.advanceTimersByTimeAsync(1_000)

describe('what is on the terminal', () => {
  test('printed lines stand above the live part, and the cursor where the frame wants it', async () => {
    const { terminal, screen } = open()
    screen.draw({ lines: ['working', '› 한글'], cursor: { row: 1, column: 6 } })
    await settle()
    screen.print(['one', 'two'])
    await settle()
    expect(terminal.allRows).toEqual(['one', 'two', 'working', '› 한글'])
    expect([terminal.row, terminal.column, terminal.isCursorShown]).toEqual([3, 6, true])
  })

  test('without a cursor in the frame it is hidden, and shown again with the next that has one', async () => {
    const { terminal, screen } = open()
    screen.draw({ lines: ['working'] })
    await settle()
    expect(terminal.isCursorShown).toBe(false)
    screen.draw({ lines: ['working'], cursor: { row: 0, column: 3 } })
    await settle()
    expect([terminal.row, terminal.column, terminal.isCursorShown]).toEqual([0, 3, true])
  })

  test('a live part higher than the terminal shows its last rows, and printing still goes above it', async () => {
    const { terminal, screen } = open({ rows: 3 })
    screen.draw({ lines: ['1', '2', '3', '4', '5'], cursor: { row: 4, column: 1 } })
    screen.print(['printed'])
    await settle()
    expect(terminal.allRows).toEqual(['printed', '3', '4', '5'])
    expect([terminal.row, terminal.column]).toEqual([2, 1])
    screen.draw({ lines: ['1', '2', '3', '4', '5'], cursor: { row: 1, column: 0 } })
    await settle()
    expect(terminal.isCursorShown).toBe(false)
  })

  test('rows that are as wide as the terminal stay one row each, also when they are written again', async () => {
    const { terminal, screen } = open({ columns: 6 })
    const frame = (sign: string) => ({ lines: [sign.repeat(6), '한글한', `${sign.repeat(5)}…`] })
    screen.print(['123456', 'next'])
    screen.draw(frame('a'))
    await settle()
    screen.draw(frame('b'))
    await settle()
    expect(terminal.allRows).toEqual(['123456', 'next', 'bbbbbb', '한글한', 'bbbbb…'])
    expect(terminal.lines).toEqual(terminal.allRows)
  })

  test('a row that is too wide, has line feeds or moves the cursor cannot disturb its neighbours', async () => {
    const { terminal, screen } = open({ columns: 8 })
    screen.draw({ lines: ['123456789', 'a\nb', '\x1b[2Ac', '\x1b[31mred', 'end'] })
    await settle()
    expect(terminal.allRows).toEqual(['12345678', 'a�b', '�c', 'red', 'end'])
  })

  test('printed lines cannot disturb their neighbours either', async () => {
    const { terminal, port, screen } = open()
    screen.print(['\x1b[2Jone', 'two\nthree', 'a\tb', '\x1b[31mred'])
    screen.draw({ lines: ['live'] })
    await settle()
    expect(terminal.allRows).toEqual(['�one', 'two', 'three', 'a b', 'red', 'live'])
    expect(port.writes.join('')).toContain('\x1b[31mred\x1b[39m')
  })

  test('a terminal that finds a sign wider than we do cuts its row and keeps the others in place', async () => {
    const { terminal, screen } = open({ columns: 10, wideSign: '☺' })
    screen.print(['printed'])
    for (const end of ['one', 'two']) {
      screen.draw({ lines: ['☺'.repeat(10), end], cursor: { row: 1, column: 3 } })
      await settle()
    }
    expect(terminal.allRows).toEqual(['printed', '☺☺☺☺☺', 'two'])
  })

  test('closing leaves the printed lines and nothing else, with the modes as they were', async () => {
    const { terminal, screen } = open()
    screen.draw({ lines: ['a', 'b'] })
    await settle()
    screen.print(['said'])
    screen.draw({ lines: ['c'] })
    await screen.close()
    await screen.close()
    expect(terminal.allRows).toEqual(['said'])
    expect([terminal.row, terminal.column]).toEqual([1, 0])
    expect([terminal.isCursorShown, terminal.hasAutowrap]).toEqual([true, true])
    screen.draw({ lines: ['too late'] })
    screen.print(['but this is said'])
    await settle()
    expect(terminal.allRows).toEqual(['said', 'but this is said'])
  })

  test('a terminal that is ready has everything when close() returns, as an exit handler needs it', () => {
    const { terminal, screen } = open()
    screen.draw({ lines: ['live'] })
    screen.print(['last words'])
    void screen.close()
    expect(terminal.allRows).toEqual(['last words'])
    expect(terminal.isCursorShown).toBe(true)
  })

  test('suspended, it writes nothing; resumed, it shows what was printed and drawn meanwhile', async () => {
    const { terminal, port, screen } = open()
    screen.draw({ lines: ['live'] })
    await settle()
    await screen.suspend()
    expect(terminal.allRows).toEqual([])
    const before = port.writes.length
    screen.print(['meanwhile'])
    screen.draw({ lines: ['newer'] })
    await settle()
    expect(port.writes.length).toBe(before)
    terminal.write('the editor was here\r\n')
    screen.resume()
    await settle()
    expect(terminal.allRows).toEqual(['the editor was here', 'meanwhile', 'newer'])
  })

  test('a notice rings and leaves no text', async () => {
    const { terminal, port, screen } = open()
    screen.draw({ lines: ['live'] })
    screen.notify('4;done\x07\x1b[2J')
    await settle()
    expect(terminal.bells).toBe(1)
    expect(terminal.allRows).toEqual(['live'])
    expect(port.writes.join('')).toContain('\x1b]9; 4;done [2J\x1b\\')
  })
})

describe('what is written', () => {
  test('rows that did not change are not written again', async () => {
    const { terminal, port, screen } = open()
    screen.draw({ lines: ['same', 'tick 1', 'same too'], cursor: { row: 2, column: 0 } })
    await settle()
    const before = terminal.cellsWritten
    screen.draw({ lines: ['same', 'tick 2', 'same too'], cursor: { row: 2, column: 0 } })
    await settle()
    expect(terminal.cellsWritten - before).toBe('tick 2'.length)
    const writes = port.writes.length
    screen.draw({ lines: ['same', 'tick 2', 'same too'], cursor: { row: 2, column: 0 } })
    await settle()
    expect(port.writes.length).toBe(writes)
  })

  test('what is asked for together is one write, between the marks of one frame', async () => {
    const { port, screen } = open()
    screen.draw({ lines: ['old'] })
    await settle()
    port.writes.length = 0
    screen.print(['one'])
    screen.print(['two'])
    screen.draw({ lines: ['new'] })
    await settle()
    expect(port.writes).toHaveLength(1)
    const [text = ''] = port.writes
    expect([text.startsWith('\x1b[?2026h'), text.endsWith('\x1b[?2026l')]).toEqual([true, true])
    expect(text).toMatch(/one.*two.*new/s)
  })

  test('a thousand frames in a second are some thirty writes', async () => {
    const { port, screen } = open()
    for (let i = 0; i < 1000; i++) {
      screen.draw({ lines: [`tick ${i}`] })
      await vi.advanceTimersByTimeAsync(1)
    }
    await settle()
    expect(port.writes.length).toBeGreaterThan(25)
    expect(port.writes.length).toBeLessThan(35)
    expect(port.writes.at(-1)).toContain('tick 999')
  })

  test('the first frame after a silence does not wait', async () => {
    const { terminal, screen } = open()
    screen.draw({ lines: ['a'] })
    await vi.advanceTimersByTimeAsync(1000)
    screen.draw({ lines: ['b'] })
    await vi.advanceTimersByTimeAsync(0)
    expect(terminal.allRows).toEqual(['b'])
  })

  test('a terminal that does not know the marks of a frame is spared them', async () => {
    const { port, screen } = open({}, { hasSync: false })
    screen.draw({ lines: ['a'] })
    await settle()
    expect(port.writes.join('')).not.toContain('2026')
  })
})

describe('a slow terminal', () => {
  test('frames are skipped until it is ready, printed lines are not', async () => {
    const { terminal, port, screen } = open()
    port.isStopped = true
    for (let i = 0; i < 500; i++) {
      screen.draw({ lines: [`tick ${i}`] })
      if (i % 100 === 0) screen.print([`line ${i}`])
      await vi.advanceTimersByTimeAsync(40)
    }
    expect(port.writes).toHaveLength(1)
    port.release()
    await settle()
    expect(port.writes).toHaveLength(2)
    expect(terminal.allRows).toEqual(['line 0', 'line 100', 'line 200', 'line 300', 'line 400', 'tick 499'])
  })

  test('a flood of lines goes out piece by piece and in order', async () => {
    const { terminal, port, screen } = open({ columns: 80 })
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'x'.repeat(60)}`)
    screen.draw({ lines: ['live'] })
    screen.print(lines)
    await settle()
    expect(Math.max(...port.writes.map((text) => text.length))).toBeLessThan(80_000)
    expect(terminal.allRows).toEqual([...lines, 'live'])
  })

  test('taken back before it has been given away, it shows the live part', async () => {
    const { terminal, port, screen } = open()
    port.isStopped = true
    screen.print(['one'])
    await vi.advanceTimersByTimeAsync(40)
    const suspended = screen.suspend()
    screen.draw({ lines: ['live'] })
    screen.resume()
    port.release()
    await suspended
    await settle()
    expect(terminal.allRows).toEqual(['one', 'live'])
  })

  test('closing waits until it has taken everything', async () => {
    const { terminal, port, screen } = open()
    port.isStopped = true
    screen.print(['one'])
    await vi.advanceTimersByTimeAsync(40)
    screen.print(['two'])
    let isClosed = false
    const closing = screen.close().then(() => {
      isClosed = true
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(isClosed).toBe(false)
    port.release()
    await closing
    expect(terminal.allRows).toEqual(['one', 'two'])
  })
})

describe('another size', () => {
  const frame = { lines: ['a status of twenty..', '› some words to send'], cursor: { row: 1, column: 20 } }

  test.each([true, false])(
    'narrower and wider, the live part is drawn anew in its place (wraps anew: %s)',
    async (hasReflow) => {
      const { terminal, screen, resize } = open({ columns: 24, hasReflow })
      screen.print(['one', 'two', 'three'])
      screen.draw(frame)
      await settle()
      resize(9)
      await settle()
      expect(terminal.allRows).toEqual(['one', 'two', 'three', 'a status', '› some wo'])
      resize(24)
      await settle()
      expect(terminal.allRows).toEqual(['one', 'two', 'three', ...frame.lines])
    },
  )

  test('a terminal that was wrongly believed to wrap anew loses rows, which is why it can be told', async () => {
    const { terminal, screen, resize } = open({ columns: 24, hasReflow: false }, { hasReflow: true })
    screen.print(['one', 'two', 'three'])
    screen.draw(frame)
    await settle()
    resize(9)
    await settle()
    expect(terminal.allRows).not.toContain('three')
  })

  test('wide signs that do not fit at the end of a row are counted where the terminal puts them', async () => {
    const { terminal, screen, resize } = open({ columns: 24 })
    screen.print(['one', 'two'])
    screen.draw({ lines: ['한'.repeat(10), '› 한글'], cursor: { row: 1, column: 6 } })
    await settle()
    resize(9)
    await settle()
    expect(terminal.allRows).toEqual(['one', 'two', '한한한한', '› 한글'])
  })

  test('rows that a lower terminal cut off below the cursor are drawn again', async () => {
    const { terminal, screen, resize } = open({ rows: 8 })
    screen.print(['one', 'two', 'three', 'four'])
    screen.draw({ lines: ['a', 'b', 'c', 'd'], cursor: { row: 0, column: 0 } })
    await settle()
    resize(20, 6)
    await settle()
    expect(terminal.allRows).toEqual(['one', 'two', 'three', 'four', 'a', 'b', 'c', 'd'])
    expect(terminal.row).toBe(2)
  })

  test('a row that has become shorter takes no more rows than its text needs', async () => {
    const { terminal, screen, resize } = open({ columns: 24 })
    screen.print(['one', 'two'])
    screen.draw(frame)
    await settle()
    screen.draw({ ...frame, lines: ['x', ...frame.lines.slice(1)] })
    await settle()
    resize(9)
    await settle()
    expect(terminal.allRows).toEqual(['one', 'two', 'x', '› some wo'])
  })

  test('while a window is dragged nothing is drawn', async () => {
    const { port, screen, resize } = open({ columns: 24 })
    screen.draw(frame)
    await settle()
    const before = port.writes.length
    for (let columns = 23; columns > 10; columns--) {
      resize(columns)
      screen.draw({ ...frame, lines: ['another', ...frame.lines] })
      await vi.advanceTimersByTimeAsync(20)
    }
    expect(port.writes.length).toBe(before)
    await settle()
    expect(port.writes.length).toBe(before + 1)
  })
})
