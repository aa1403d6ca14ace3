import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createTranslator, LANGS } from '@maru/i18n'
import { describe, expect, test } from 'vitest'
import { describeProgram } from '../../src/completions/describe-program.ts'
import { EXIT } from '../../src/exit-code.ts'
import { manPage } from '../../src/man/man-page.ts'
import { commands } from '../../src/registry.ts'
import { makeDirectory } from '../run.ts'

async function pageIn(lang: (typeof LANGS)[number]) {
  const t = createTranslator(lang)
  const program = await describeProgram(commands, t)
  return { t, program, page: manPage(program, { t, version: '1.2.3' }) }
}

// As a reader sees it: roff's own signs for what a plain sign would spoil.
const plain = (page: string) =>
  page.replaceAll('\\-', '-').replaceAll('\\(dq', '"').replaceAll('\\(aq', "'").replaceAll('\\(rs', '\\')

describe.each(LANGS)('the manual page in %s', (lang) => {
  test('has every command with its forms, its options and what help says of them', async () => {
    const { program, page } = await pageIn(lang)
    const lines = plain(page).split('\n')
    for (const { name, usage, summary, options } of program.commands) {
      const start = lines.indexOf(`.SS maru ${name}`)
      const end = lines.findIndex((line, index) => index > start && /^\.S[SH] /.test(line))
      const part = lines.slice(start, end)
      expect(start, name).toBeGreaterThan(0)
      for (const form of usage) expect(part).toContain(`.B maru ${form}`)
      expect(part).toContain(`${summary}.`)
      for (const option of options) {
        const at = part.findIndex(
          (line, index) => part[index - 1] === '.TP' && line.split(/[ ,]+/).includes(option.long),
        )
        expect(at, `${name} ${option.long}`).toBeGreaterThan(0)
        expect(part[at + 1]).toBe(option.summary)
      }
    }
  })

  test('has the options of every command, the exit codes and the version', async () => {
    const { program, page } = await pageIn(lang)
    const terms = plain(page).split('\n')
    for (const { long } of program.options)
      expect(terms.some((term) => term.startsWith('.B ') && term.includes(long))).toBe(true)
    for (const code of Object.values(EXIT)) expect(terms).toContain(`.B ${code}`)
    expect(terms[0]).toBe('.TH MARU 1 "" "maru 1.2.3" "Maru"')
  })

  test('has no line that roff would take for a command of its own', async () => {
    const { page } = await pageIn(lang)
    const macros = page
      .split('\n')
      .filter((line) => /^[.']/.test(line) && !/^\.(TH|SH|SS|B|TP|PP|br|nf|fi|nh|ad)\b/.test(line))
    expect(macros).toEqual([])
  })

  test('is read by groff without a warning', async (context) => {
    if (spawnSync('groff', ['--version']).status !== 0) context.skip('groff is not installed')
    const { page } = await pageIn(lang)
    const folder = await makeDirectory({ 'maru.1': page })
    const args = ['-man', '-ww', '-K', 'utf8', '-T', 'utf8', '-P', '-cbou', join(folder, 'maru.1')]
    const { status, stdout, stderr } = spawnSync('groff', args, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('--output-schema FILE')
  })
})
