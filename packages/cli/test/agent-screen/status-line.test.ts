import { createTranslator } from '@maru/i18n'
import { createTextStyle, widthOf } from '@maru/terminal'
import { expect, test } from 'vitest'
import { renderStatus, type Status } from '../../src/agent/status-line.ts'
import { shortCount, shortTime } from '../../src/terminal/short-numbers.ts'

const status: Status = {
  model: 'claude-sonnet',
  mode: 'ask',
  sandbox: 'full',
  root: '/home/kim/src/shop',
  tokens: { input: 12_000, output: 345 },
  money: 0.0421,
  context: { tokens: 12_345, limit: 100_000 },
}

function line(width: number, { lang = 'en' as 'en' | 'ko', given = {} as Partial<Status>, colours = false } = {}) {
  const style = createTextStyle(colours)
  return renderStatus({ ...status, ...given }, { t: createTranslator(lang), style, width, home: '/home/kim' })
}

test('the status line says everything where there is room', () => {
  expect(line(120)).toBe('claude-sonnet · mode ask · 12.3k tokens · $0.0421 · context 12 % · sandbox · ~/src/shop')
  expect(line(120, { lang: 'ko' })).toBe(
    'claude-sonnet · 모드 ask · 12.3k 토큰 · $0.0421 · 컨텍스트 12% · 샌드박스 · ~/src/shop',
  )
})

test('with less room the least important goes first, and nothing is ever wider than the terminal', () => {
  expect(line(82)).toBe('claude-sonnet · mode ask · 12.3k tokens · $0.0421 · context 12 % · sandbox · shop')
  expect(line(66)).toBe('claude-sonnet · mode ask · 12.3k tokens · $0.0421 · context 12 %')
  expect(line(40)).toBe('claude-sonnet · mode ask · context 12 %')
  for (let width = 1; width < 100; width++) expect(widthOf(line(width, { lang: 'ko' }))).toBeLessThanOrEqual(width)
})

test('a missing sandbox outlives a present one, and what is not known is not said', () => {
  expect(line(52, { given: { sandbox: 'none', money: undefined } })).toBe(
    'claude-sonnet · mode ask · context 12 % · no sandbox',
  )
  expect(line(120, { given: { sandbox: 'unknown', money: undefined } })).toBe(
    'claude-sonnet · mode ask · 12.3k tokens · context 12 % · ~/src/shop',
  )
})

test('a full context and a mode that asks nothing stand out', () => {
  const shown = line(120, { given: { mode: 'yes', context: { tokens: 95, limit: 100 } }, colours: true })
  expect(shown).toContain('\x1b[31mmode yes\x1b[39m')
  expect(shown).toContain('\x1b[31mcontext 95 %\x1b[39m')
})

test('numbers and times are short', () => {
  expect([0, 999, 1000, 12_345, 999_949, 999_950, 4_500_000].map(shortCount)).toEqual([
    ...['0', '999', '1k', '12.3k', '999.9k', '1M', '4.5M'],
  ])
  const t = createTranslator('ko')
  expect([0, 59_999, 65_000, 3_723_000].map((ms) => shortTime(ms, t))).toEqual(['0초', '59초', '1:05', '1:02:03'])
})
