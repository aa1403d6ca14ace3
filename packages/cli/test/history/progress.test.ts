import { expect, test } from 'vitest'
import type { Invocation } from '../../src/command.ts'
import { linesOf } from '../../src/history/lines-of.ts'
import { createProgress } from '../../src/history/progress.ts'
import { sizeOf } from '../../src/history/size-of.ts'

function at(isTerminal: boolean, isQuiet = false) {
  let written = ''
  let now = 0
  const stderr = {
    isTerminal,
    columns: 30,
    async write(text: string) {
      written += text
    },
  }
  const progress = createProgress({ stderr, options: { quiet: isQuiet } } as unknown as Invocation, () => now)
  const wait = (ms: number) => {
    now += ms
  }
  return { progress, wait, written: () => written }
}

test('what takes less than a second says nothing; more is one line that changes and goes', () => {
  const { progress, wait, written } = at(true)
  progress.show('1 of 9')
  wait(999)
  progress.show('2 of 9')
  expect(written()).toBe('')
  wait(1)
  progress.show('3 of 9')
  progress.show('4 of 9')
  wait(100)
  progress.show(`5 of 9 ${'길다 '.repeat(20)}`)
  progress.end()
  expect(written()).toBe('\r\x1b[K3 of 9\r\x1b[K5 of 9 길다 길다 길다 길다 길\r\x1b[K')
})

test('where nobody watches it is said once, or not at all', () => {
  const { progress, wait, written } = at(false)
  for (const n of [1, 2, 3]) {
    wait(1000)
    progress.show(`${n}`)
  }
  progress.end()
  expect(written()).toBe('1\n')
  const quiet = at(true, true)
  quiet.wait(5000)
  quiet.progress.show('x')
  expect(quiet.written()).toBe('')
})

test('lines end at line feeds alone, wherever the bytes are cut', async () => {
  const bytes = Buffer.from('하나\u2028\n둘\r\n\n끝')
  async function* pieces() {
    for (const byte of bytes) yield Uint8Array.of(byte)
  }
  const lines: string[] = []
  for await (const line of linesOf(pieces())) lines.push(line)
  expect(lines).toEqual(['하나\u2028', '둘\r', '', '끝'])
})

test('sizes are as people read them', () => {
  expect([0, 1, 1023, 1024, 1536, 200_000, 5e9].map(sizeOf)).toEqual([
    '0 B',
    '1 B',
    '1023 B',
    '1.0 KB',
    '1.5 KB',
    '195 KB',
    '4.7 GB',
  ])
})
