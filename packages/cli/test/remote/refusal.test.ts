import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@maru/client'
import { allMessages, createTranslator } from '@maru/i18n'
import type { Problem } from '@maru/protocol'
import { expect, test } from 'vitest'
import { toCliError } from '../../src/remote/open-link.ts'

function tell(lang: 'en' | 'ko', problem: Problem): string {
  try {
    return toCliError(createTranslator(lang))(new ApiError(problem))
  } catch (error) {
    return error instanceof Error ? `${(error as { code?: string }).code}: ${error.message}` : ''
  }
}

const held = { code: 'held', status: 409, title: 'Somebody else is writing' }
const detail = 'the agent is at work: interrupt it first'

test('what a server refuses is told in the reader’s language, with its own words behind it', () => {
  expect(tell('ko', held)).toBe('server-held: 서버가 거절했습니다: 다른 곳에서 쓰고 있습니다')
  expect(tell('ko', { ...held, detail })).toBe(
    `server-held: 서버가 거절했습니다: 다른 곳에서 쓰고 있습니다 (${detail})`,
  )
  expect(tell('en', held)).toBe('server-held: the server said no: Somebody else is writing')
  expect(tell('en', { ...held, detail })).toBe(`server-held: the server said no: ${detail}`)
  // One of a server that is newer than this program.
  expect(tell('ko', { code: 'tired', status: 409, title: 'Not today' })).toBe(
    'server-tired: 서버가 거절했습니다: Not today',
  )
})

test('every code that a server may answer with has its words', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/protocol.md'), 'utf8')
  const titles = [...document.matchAll(/^\| `([a-z-]+)` \| [45]\d\d \| (.+) \|$/gm)].map(([, code = '', title]) => [
    `refusal.${code}`,
    title,
  ])
  expect(titles.length).toBeGreaterThan(20)
  const known = Object.entries(allMessages()).filter(([key]) => key.startsWith('refusal.'))
  expect(Object.fromEntries(known.map(([key, { en }]) => [key, en]))).toEqual(Object.fromEntries(titles))
})
