import { writeFileSync } from 'node:fs'
import { LANGS } from '@maru/i18n'
import { expect, test } from 'vitest'
import { takeWalk } from './walk/take-walk.ts'

test.concurrent.each(LANGS)('walk %s', async (lang) => {
  const screens = await takeWalk(lang)
  writeFileSync(`/tmp/hi/walk-${lang}.txt`, screens.map(({ after, text }) => `##### ${after}\n${text.trimEnd()}\n`).join('\n'))
  expect(screens.length).toBeGreaterThan(3)
})
