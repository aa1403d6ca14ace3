import { expect, test } from 'vitest'
import { createRepetition } from '../src/repetition.ts'

const same = (text: string) => text

function play(turns: [call: string, result: string][][]) {
  const repetition = createRepetition(same)
  const remarks: boolean[] = []
  let stoppedAt: number | undefined
  turns.forEach((calls, at) => {
    for (const [call, result] of calls) remarks.push(repetition.remark(call, result, false) !== undefined)
    repetition.endTurn()
    if (repetition.isEndless()) stoppedAt ??= at + 1
  })
  return { remarks, stoppedAt }
}

test('the same call with the same result is remarked on at the third time and stopped at the fifth', () => {
  const { remarks, stoppedAt } = play(Array.from({ length: 6 }, () => [['read a', 'x']]))
  expect(remarks).toEqual([false, false, true, true, true, true])
  expect(stoppedAt).toBe(5)
})

test.each([2, 3, 4])('a circle of %i calls is stopped too, whatever order its parts finish in', (length) => {
  const circle = Array.from({ length }, (_, n): [string, string][] => [
    [`a${n}`, 'x'],
    [`b${n}`, 'y'],
  ])
  const turns = Array.from({ length: length * 6 }, (_, at) => {
    const calls = circle[at % length] ?? []
    return at % 2 ? calls.toReversed() : calls
  })
  expect(play(turns).stoppedAt).toBe(length * 5)
})

test('a call whose result changes is progress, not repetition', () => {
  const { remarks, stoppedAt } = play(Array.from({ length: 30 }, (_, n) => [['npm test', `${n} failures`]]))
  expect(remarks).not.toContain(true)
  expect(stoppedAt).toBeUndefined()
})

test('after something new that had an effect, the same call counts from the beginning', () => {
  const repetition = createRepetition(same)
  for (const edit of ['one', 'two', 'three', 'four', 'five', 'six']) {
    expect(repetition.isStruckOut('npm test')).toBe(false)
    expect(repetition.remark('npm test', '1 failure', false)).toBeUndefined()
    repetition.fail('npm test')
    repetition.remark('WriteFile', edit, true)
    repetition.endTurn()
  }
  expect(repetition.isEndless()).toBe(false)
})

test('a call that failed three times is not run again; another one is', () => {
  const repetition = createRepetition(same)
  for (const _ of [1, 2, 3]) {
    expect(repetition.isStruckOut('bad')).toBe(false)
    repetition.fail('bad')
  }
  expect(repetition.isStruckOut('bad')).toBe(true)
  expect(repetition.isStruckOut('good')).toBe(false)
})
