import { expect, test } from 'vitest'
import { runSteps } from '../scripts/house/check.mjs'
import { describeTally } from '../scripts/house/closing-line-reporter.ts'

test('every step runs, is named with its time, and the failing ones are given', async () => {
  const said: string[] = []
  const failed = await runSteps({ root: process.cwd(), say: (line) => said.push(line) }, [
    { name: 'good', args: ['-e', '0'] },
    { name: 'bad', args: ['-e', 'process.exit(3)'] },
    { name: 'last', args: ['-e', '0'] },
  ])
  expect(failed).toEqual(['bad'])
  expect(said.map((line) => line.replace(/\d+\.\d s/, 'TIME')).toSorted()).toEqual([
    '✓ good     TIME',
    '✓ last     TIME',
    '✗ bad      TIME',
  ])
})

test('the closing line stands alone, below the skipped tests and their reasons', () => {
  expect(describeTally({ passed: 3, failed: 0, skips: [] })).toBe('3 passed, 0 failed, 0 skipped')
  expect(
    describeTally({
      passed: 3,
      failed: 1,
      skips: [
        { name: 'a.test.ts > one', reason: 'bwrap is not here' },
        { name: 'b.test.ts > two', reason: 'no reason given' },
        { name: 'c.test.ts > three', reason: 'bwrap is not here' },
      ],
    }),
  ).toBe(
    [
      'skipped: bwrap is not here',
      '  a.test.ts > one',
      '  c.test.ts > three',
      'skipped: no reason given',
      '  b.test.ts > two',
      '3 passed, 1 failed, 3 skipped',
    ].join('\n'),
  )
})
