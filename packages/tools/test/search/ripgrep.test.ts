import { expect, test } from 'vitest'
import { findRipgrep } from '../../src/search/find-ripgrep.ts'
import { runRipgrep } from '../../src/search/ripgrep.ts'
import { createRowReader } from '../../src/search/row-reader.ts'
import { NEVER, openTree } from './tree.ts'

test('more output than anyone can use ends a search, and what there is until then is used', async () => {
  const tree = await openTree({ 'a.txt': 'x\n'.repeat(5_000) })
  const seen: unknown[] = []
  const rows = createRowReader({ see: (...sight) => seen.push(sight) < 0, keep() {} })
  let length = 0
  const end = await runRipgrep({
    program: await findRipgrep(),
    cwd: tree.root,
    args: ['--heading', '--null', '--line-number', '--only-matching', '--replace=', '--regexp=x'],
    rules: '',
    signal: NEVER,
    timeoutMs: 10_000,
    maxOutput: 1_003,
    onOutput(bytes) {
      length += bytes.length
      rows.push(bytes)
    },
  })
  await tree.dispose()
  rows.end()
  expect([end, length]).toEqual([{ kind: 'ended', unreadable: 0, stop: 'flood' }, 1_003])
  // Half a row at the end counts for nothing: "./a.txt", a NUL, nine rows of three bytes, ninety of four, 121 of five.
  expect(seen).toEqual([['a.txt', 220, 220]])
})

test('what ripgrep prints is read, whatever the files are called', () => {
  const printed = [
    './plain.txt\x001:3:\n1:9:\n7:1:\n',
    '\n./new\nline: binary file.txt\x002:1:\n',
    './image.png: binary file matches (found "\\0" byte around offset 4)\n',
    '\n./late.bin\x001:1:\n./late.bin: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
    '\n./12:3:\x004:5:\n',
    '\n./bad-\xff\x001:1:\n',
  ]
  const output = Buffer.from(printed.join(''), 'latin1')
  // However it is cut into pieces.
  for (const size of [output.length, 100, 7, 1]) {
    const kept: unknown[] = []
    const rows = createRowReader({
      see: () => true,
      keep: (sighting) => kept.push([sighting.path, sighting.matches, sighting.lines, sighting.places(9)]),
    })
    for (let at = 0; at < output.length; at += size) rows.push(output.subarray(at, at + size))
    const tally = rows.end()
    expect(kept).toEqual([
      [
        'plain.txt',
        3,
        2,
        [
          { line: 1, column: 2 },
          { line: 7, column: 0 },
        ],
      ],
      ['new\nline: binary file.txt', 1, 1, [{ line: 2, column: 0 }]],
      ['12:3:', 1, 1, [{ line: 4, column: 4 }]],
    ])
    expect(tally).toEqual({ binary: 2, unnamed: 1 })
  }
})
