import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator, LANGS } from '@maru/i18n'
import { describeProgram } from '../completions/describe-program.ts'
import { commands } from '../registry.ts'
import { version } from '../version.ts'
import { manPage } from './man-page.ts'

// Run by the build: `write-man-pages.ts DIRECTORY` leaves a tree there as MANPATH wants it.
const [directory = '.'] = process.argv.slice(2)
for (const lang of LANGS) {
  const t = createTranslator(lang)
  const folder = join(directory, lang === 'en' ? 'man1' : `${lang}/man1`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'maru.1'), manPage(await describeProgram(commands, t), { t, version }))
}
