import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Frame, Key } from '../src/index.ts'
import { hasTmux, openTmux, type Tmux } from './tmux.ts'

// The same promises as against the virtual terminal, kept by a real one.
describe.runIf(await hasTmux())('in tmux', () => {
  let open: Tmux | undefined
  afterEach(async () => {
    await open?.close()
    open = undefined
  })
  const start = async (columns: number, rows: number): Promise<Tmux> => {
    open = await openTmux({ columns, rows })
    return open
  }
  const eventually = <T>(look: () => Promise<T>, wanted: T) =>
    vi.waitFor(async () => expect(await look()).toEqual(wanted), { timeout: 20_000, interval: 20 })

  test('printed lines, the live part and the cursor are where they belong', async () => {
    const terminal = await start(30, 10)
    const printed = Array.from({ length: 20 }, (_, i) => `${i} 번째 줄`)
    await terminal.order({ do: 'draw', frame: { lines: ['⠋ 일하는 중', '› 한글'], cursor: { row: 1, column: 6 } } })
    await terminal.order({ do: 'print', lines: printed })
    await eventually(terminal.lines, [...printed, '⠋ 일하는 중', '› 한글'])
    await eventually(terminal.cursor, '6,9 1')
    await terminal.order({ do: 'draw', frame: { lines: ['one', 'x'.repeat(30)] } })
    await eventually(terminal.lines, [...printed, 'one', 'x'.repeat(30)])
    await eventually(terminal.cursor, '0,8 0')
    await terminal.order({ do: 'close' })
    // What the shell behind it says: the terminal is as it was.
    await eventually(terminal.lines, [...printed, ' icanon', ' echo'])
    await eventually(() => terminal.tmux('display-message', '-p', '#{cursor_flag}#{wrap_flag}#{alternate_on}'), '110\n')
  })

  test('in whatever size, the live part is drawn anew in its place and nothing above is lost', async () => {
    const terminal = await start(40, 20)
    const printed: string[] = []
    const sizes = fc.record({ columns: fc.integer({ min: 10, max: 40 }), rows: fc.integer({ min: 16, max: 24 }) })
    const width = fc.integer({ min: 0, max: 40 })
    const rounds = fc.tuple(sizes, fc.array(width, { minLength: 1, maxLength: 4 }), fc.boolean())
    // Always the same ones: what fails here has to fail again.
    for (const [size, widths, isWide] of fc.sample(rounds, { seed: 20, numRuns: 16 })) {
      const lines = widths.map((cells) => (isWide ? '한'.repeat(cells / 2) : 'x'.repeat(cells)))
      const frame: Frame = { lines, cursor: { row: lines.length - 1, column: Math.min(5, widths.at(-1) ?? 0) } }
      printed.push(`line ${printed.length}${'·'.repeat(printed.length % 30)}`)
      await terminal.order({ do: 'print', lines: printed.slice(-1) })
      await terminal.order({ do: 'draw', frame })
      // Drawn as wide as the terminal is now, and then the terminal changes.
      const cut = (columns: number) => lines.map((line) => line.slice(0, isWide ? columns / 2 : columns))
      const [columns = 0] = (await terminal.tmux('display-message', '-p', '#{window_width}')).split('\n').map(Number)
      await eventually(terminal.lines, [...printed, ...withoutEmptyEnd(cut(columns))])
      await terminal.resize(size.columns, size.rows)
      await eventually(terminal.lines, [...printed, ...withoutEmptyEnd(cut(size.columns))])
    }
  })

  test('suspended, the terminal belongs to somebody else', async () => {
    const terminal = await start(30, 10)
    await terminal.order({ do: 'print', lines: ['before'] })
    await terminal.order({ do: 'draw', frame: { lines: ['live'] } })
    await eventually(terminal.lines, ['before', 'live'])
    await terminal.order({ do: 'suspend' })
    await eventually(terminal.lines, ['before'])
    await eventually(terminal.cursor, '0,1 1')
    await terminal.order({ do: 'resume' })
    await eventually(terminal.lines, ['before', 'live'])
  })

  test('keys arrive as they were pressed', async () => {
    const terminal = await start(30, 10)
    const key = (name: string, held: Partial<Key> = {}): Key =>
      ({ kind: 'key', name, ctrl: false, alt: false, shift: false, ...held }) as Key
    await terminal.tmux('send-keys', 'Up', 'C-c', 'M-f', 'C-Left', 'Enter', 'BSpace', 'DC', 'F5', 'BTab')
    await terminal.tmux('send-keys', '-l', '한글 ok')
    const text: Key = { kind: 'text', text: '한글 ok' }
    const pressed: Key[] = [
      ...[key('up'), key('c', { ctrl: true } as Partial<Key>), key('f', { alt: true } as Partial<Key>)],
      ...[key('left', { ctrl: true } as Partial<Key>), key('enter'), key('backspace'), key('delete'), key('f5')],
      ...[key('tab', { shift: true } as Partial<Key>), text],
    ]
    const seen = async () => terminal.keys.filter(({ kind }) => kind !== 'focus')
    await eventually(seen, pressed)
    await terminal.tmux('send-keys', 'Escape')
    await eventually(seen, [...pressed, key('escape')])
    await terminal.tmux('set-buffer', 'one\ntwo \x1b[31m')
    await terminal.tmux('paste-buffer', '-p')
    await eventually(seen, [...pressed, key('escape'), { kind: 'paste', text: 'one\ntwo \x1b[31m' }])
  })
})

function withoutEmptyEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}
