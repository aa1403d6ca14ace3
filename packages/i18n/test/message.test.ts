import { expect, test } from 'vitest'
import { hasFinalConsonant } from '../src/final-sound.ts'
import { fill } from '../src/message.ts'

test.each([
  ['파일', '을', '은', '이', '과', '로'],
  ['경로', '를', '는', '가', '와', '로'],
  ['설정', '을', '은', '이', '과', '으로'],
  ['config.json', '을', '은', '이', '과', '으로'],
  ['node', '를', '는', '가', '와', '로'],
  ['git', '을', '은', '이', '과', '으로'],
  ['root', '를', '는', '가', '와', '로'],
  ['test', '를', '는', '가', '와', '로'],
  ['file', '을', '은', '이', '과', '로'],
  ['URL', '을', '은', '이', '과', '로'],
  ['JSON', '을', '은', '이', '과', '으로'],
  ['API', '를', '는', '가', '와', '로'],
  ['npm', '을', '은', '이', '과', '으로'],
  ['1', '을', '은', '이', '과', '로'],
  ['2', '를', '는', '가', '와', '로'],
  ['10', '을', '은', '이', '과', '으로'],
  ['"경로"', '를', '는', '가', '와', '로'],
])('particles after %s follow its final sound', (x, eul, eun, i, gwa, euro) => {
  const text = fill('{x|을|를} {x|은|는} {x|이|가} {x|과|와} {x|으로|로}', 'ko', { x })
  expect(text).toBe([eul, eun, i, gwa, euro].join(' '))
})

test('where the reading is unknown, both particles are written', () => {
  expect(hasFinalConsonant('漢字')).toBe(undefined)
  expect(fill('{x}{x|을|를}, {x}{x|으로|로}', 'ko', { x: '漢字' })).toBe('漢字을(를), 漢字(으)로')
  expect(fill('{x}{x|이|가}', 'ko', { x: '' })).toBe('이(가)')
})

test('English chooses by count', () => {
  const lines = (n: number) => fill('{n} {n|line|lines}', 'en', { n })
  expect([lines(0), lines(1), lines(2)]).toEqual(['0 lines', '1 line', '2 lines'])
})

test('a value is put in as it is, whatever it looks like', () => {
  expect(fill('{a}-{b}', 'en', { a: '{b}', b: '$&' })).toBe('{b}-$&')
})

test('a placeholder without a value stays visible', () => {
  expect(fill('{a} {toString}', 'en', { a: 1 })).toBe('1 {toString}')
})
