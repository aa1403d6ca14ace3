import { pickLanguage } from '@maru/i18n'
import { expect, test } from 'vitest'

test('the flag beats the environment, which beats the config, which beats the locale', () => {
  expect(pickLanguage({ flag: 'en', env: 'ko', config: 'ko', locale: 'ko_KR.UTF-8' })).toBe('en')
  expect(pickLanguage({ env: 'ko', config: 'en', locale: 'en_US.UTF-8' })).toBe('ko')
  expect(pickLanguage({ config: 'ko', locale: 'en_US.UTF-8' })).toBe('ko')
  expect(pickLanguage({ locale: 'ko_KR.UTF-8' })).toBe('ko')
})

test.each([
  ['ko-KR', 'ko'],
  ['KO', 'ko'],
  ['ko', 'ko'],
  ['C.UTF-8', 'en'],
  ['POSIX', 'en'],
  ['kok_IN', 'en'],
  ['', 'en'],
  ['fr_FR.UTF-8', 'en'],
] as const)('the locale %j gives %s', (locale, lang) => {
  expect(pickLanguage({ locale })).toBe(lang)
})

test('a wish that we cannot fulfil passes on to the next', () => {
  expect(pickLanguage({ env: 'fr', config: 'ko' })).toBe('ko')
  expect(pickLanguage({})).toBe('en')
})
