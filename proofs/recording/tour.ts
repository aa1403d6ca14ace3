import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTranslator, type Lang } from '@maru/i18n'
import { type Step, startScriptedModel } from '@maru/scripted-model'
import { temporaryDirectory } from '@maru/testkit'
import { type Cast, inSteps } from './cast.ts'
import { openTerminalSession } from './terminal-session.ts'

const COLUMNS = 100
const ROWS = 36
const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

/** The name of the repository that the tour is taken in; its folder lies in the home directory of nobody. */
export const REPOSITORY = 'abacus'

const FILES = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.mjs': 'export function sum(a, b) {\n  return a - b\n}\n',
  'sum.test.mjs': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { sum } from './sum.mjs'",
    '',
    "test('adds', () => assert.equal(sum(2, 3), 5))",
    '',
  ].join('\n'),
}

const PATCH = [
  '*** Begin Patch',
  '*** Update File: sum.mjs',
  '@@',
  '-  return a - b',
  '+  return a + b',
  '*** End Patch',
]

/** What the model says beyond what it says in `maru demo`. */
const MORE: { readonly [L in Lang]: { readonly note: string; readonly points: readonly string[] } } = {
  en: {
    note: 'sum adds again',
    points: ['`sum(2, 3)` is **5** now, it was `-1`', '`CHANGES.md` says so'],
  },
  ko: {
    note: 'sum이 다시 더합니다',
    points: ['`sum(2, 3)`은 `-1`이었고 이제 **5**입니다', '`CHANGES.md`에 적어 두었습니다'],
  },
}

/** What the tour shows, in the words of today's catalogue; a recording that lacks one of them is out of date. */
export function wordsOfTour(lang: Lang): string[] {
  const t = createTranslator(lang)
  const own = MORE[lang].points.map((point) => point.replaceAll(/[`*]/g, ''))
  return [
    ...[t('demo.input'), t('demo.look'), t('demo.mend'), t('demo.fixed'), ...own],
    ...[t('screen.placeholder'), t('screen.mode', { mode: 'ask' }), t('screen.sandbox')],
  ]
}

/** Takes the tour with the real program in a real terminal, and gives what was seen. */
export async function recordTour(lang: Lang): Promise<Cast> {
  const t = createTranslator(lang)
  const { path: home, dispose } = await temporaryDirectory()
  const model = await startScriptedModel({ script: script(lang), delivery: { deltaSize: 3, deltaDelayMs: 40 } })
  try {
    const place = await prepare(home, { lang, url: model.url })
    const session = openTerminalSession({ ...place, command: '/bin/sh', columns: COLUMNS, rows: ROWS })
    try {
      await session.until('$')
      await session.pause(600)
      await session.type('maru')
      await session.pause(200)
      await session.type('\r')
      await session.until(t('screen.placeholder'))
      await session.pause(800)
      await session.type(t('demo.input'))
      await session.pause(400)
      await session.type('\r')
      await session.until(t('screen.may', { tool: 'WriteFile' }))
      await session.pause(4_000)
      await session.type('y')
      await session.until(...wordsOfTour(lang))
      await session.pause(1_000)
      const problem = model.problems[0]
      if (problem) throw new Error(problem.message)
      return { columns: COLUMNS, rows: ROWS, title: 'maru', outputs: inSteps(session.outputs) }
    } finally {
      await session.close()
    }
  } finally {
    await model.close()
    await dispose()
  }
}

async function prepare(home: string, { lang, url }: { lang: Lang; url: string }) {
  const cwd = join(home, REPOSITORY)
  const bin = join(home, 'bin')
  for (const folder of [join(cwd, '.git'), bin, join(home, '.maru')]) await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text)
  await symlink(maru, join(bin, 'maru'))
  // It says what it is: no vendor's model has spoken here.
  await writeFile(join(home, '.maru/config.json'), JSON.stringify({ model: 'scripted' }))
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    PS1: '$ ',
    TERM: 'xterm-256color',
    LC_ALL: 'C.UTF-8',
    MARU_LANG: lang,
    ANTHROPIC_API_KEY: 'scripted',
    ANTHROPIC_BASE_URL: url,
  }
  return { cwd, env }
}

function script(lang: Lang): Step[] {
  const t = createTranslator(lang)
  const { note, points } = MORE[lang]
  const test = { call: 'RunTests', args: {} }
  const changes = { call: 'WriteFile', args: { path: 'CHANGES.md', content: `- ${note}\n` } }
  return [
    { reply: [{ text: t('demo.look') }, { call: 'ReadFile', args: { path: 'sum.mjs' } }, test] },
    { reply: [{ text: t('demo.mend') }, { call: 'ApplyPatch', args: { patch: PATCH.join('\n') } }, changes, test] },
    { reply: [{ text: `**${t('demo.fixed')}**\n\n${points.map((point) => `- ${point}`).join('\n')}\n` }] },
  ]
}
