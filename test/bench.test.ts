import { expect, test } from 'vitest'
import { describe as describeVerdict, judge } from '../bench/claim.ts'
import { sideBySide, summarize } from '../bench/side-by-side.ts'

test('variants take turns, and each round starts with another one', async () => {
  const order: string[] = []
  const variant = (name: string) => ({ name, run: async () => order.push(name) })
  const timings = await sideBySide([variant('a'), variant('b')], { rounds: 3, warmups: 0 })
  expect(order.join('')).toBe('abbaab')
  expect(timings.map(({ name, runs }) => [name, runs.length])).toEqual([
    ['a', 3],
    ['b', 3],
  ])
})

test('a program that fails is not timed', async () => {
  const failing = { name: 'failing', command: [process.execPath, '-e', 'process.exit(3)'] }
  await expect(sideBySide([failing], { rounds: 1 })).rejects.toThrow('ended with 3')
})

test('the median of an even number of times lies between the middle two', () => {
  expect(summarize('a', [4, 1, 3, 2])).toEqual({ name: 'a', unit: 'ms', min: 1, median: 2.5, runs: [4, 1, 3, 2] })
  expect(summarize('a', [9, 1, 2])).toEqual({ name: 'a', unit: 'ms', min: 1, median: 2, runs: [9, 1, 2] })
})

test('a claim is judged by the ratio of the medians', () => {
  const claim = { text: 'b is nearly a', of: 'b', against: 'a', atMost: 1.4 }
  const timings = [summarize('a', [10]), summarize('b', [14])]
  const verdict = judge(timings, claim)
  expect(verdict).toEqual({ timings, claim, ratio: { min: 1.4, median: 1.4 }, holds: true })
  expect(describeVerdict(verdict).split('\n').at(-1)).toBe('holds: b is nearly a (at most 1.4 times, by the medians)')
  expect(judge([summarize('a', [10]), summarize('b', [15])], claim).holds).toBe(false)
})
