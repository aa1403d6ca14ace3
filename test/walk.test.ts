import { writeFileSync } from 'node:fs'
import { LANGS } from '@maru/i18n'
import { expect, test } from 'vitest'
import { takeWalk } from './walk/take-walk.ts'

test.each(LANGS)('walk %s', async (lang) => {
  const screens = await takeWalk(lang)
  writeFileSync(`/tmp/hi/walk-${lang}.txt`, screens.map(({ after, rows }) => `##### ${after}\n${rows.join('\n').trimEnd()}\n`).join('\n'))
  expect(screens.length).toBeGreaterThan(3)
})
