import { allMessages, createTranslator } from '@maru/i18n'
import { expect, test } from 'vitest'
import { subjects } from '../src/catalogue.ts'

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

// That both languages are there, and each is itself, is a rule of the house: scripts/check-house/language-rules.ts.

test('no key stands in two subjects', () => {
  const keys = subjects.flatMap((subject) => Object.keys(subject.messages()))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('a subject names the words that its keys begin with', () => {
  for (const { words, messages } of subjects) {
    expect(words).toEqual(
      [...new Set(Object.keys(messages()).map((key) => key.split('.')[0] ?? ''))].sort((a, b) => (a < b ? -1 : 1)),
    )
  }
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
