import { allMessages, createTranslator } from '@maru/i18n'
import { expect, test } from 'vitest'

const entries = Object.entries(allMessages())

function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].sort()
}

test('both languages have the same placeholders in every message', () => {
  const different = entries.filter(([, { en, ko }]) => `${placeholders(en)}` !== `${placeholders(ko)}`)
  expect(different).toEqual([])
})

test('braces stand only around placeholders, with no word or two to choose from', () => {
  const wrong = entries.filter(([, { en, ko }]) => /[{}]/.test((en + ko).replace(/\{\w+(\|[^|{}]*\|[^|{}]*)?\}/g, '')))
  expect(wrong).toEqual([])
})

test('English has no Hangul, and Korean is not English left over', () => {
  const isKorean = (text: string) => /\p{Script=Hangul}/u.test(text) || !/[a-z]{3,}/.test(text.replace(/\{\w+\}/g, ''))
  expect(entries.filter(([, { en }]) => /\p{Script=Hangul}/u.test(en))).toEqual([])
  expect(entries.filter(([key, { ko }]) => !isKorean(ko) && key !== 'doctor.node.ok')).toEqual([])
})

test('Korean keeps to one level of politeness', () => {
  expect(entries.filter(([, { ko }]) => /(어요|아요|해요|세요|네요|지요|죠)([.?! ]|$)/.test(ko))).toEqual([])
})

test('every key begins with a subject and is written in one way', () => {
  expect(entries.filter(([key]) => !/^[a-z]+(\.[A-Za-z0-9-]+)+$/.test(key))).toEqual([])
})

test('keys and values are checked by the compiler', () => {
  const t = createTranslator('en')
  expect(t('cli.missing', { argument: 'FILE', help: 'maru replay -h' })).toBe('FILE is missing; see "maru replay -h"')
  expect(t('help.usage')).toBe('Usage:')
  // @ts-expect-error -- the values are missing
  expect(t('cli.missing')).toContain('{argument}')
  // @ts-expect-error -- a value is missing
  expect(t('cli.missing', { argument: 'FILE' })).toContain('{help}')
  // @ts-expect-error -- no such key
  expect(() => t('cli.nothing')).toThrow()
})
