import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkHouse, describeProblem } from '../scripts/check-house/check-house.ts'

const roots: string[] = []

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

test('a house in order has no problems', async () => {
  expect(await problems({})).toEqual([])
})

test('an import against the direction is named with what is allowed', async () => {
  expect(
    await problems({
      'packages/store/src/index.ts': `import type { run } from 'maru'\nexport type { run }\n`,
      'packages/protocol/test/a.test.ts': `import { open } from '@maru/store'\nopen()\n`,
      'scripts/a.mjs': `import { open } from '@maru/store'\nopen()\n`,
    }),
  ).toEqual([
    'packages/protocol/test/a.test.ts:1 imports "@maru/store", but protocol may import only testkit, scripted-model: ' +
      'move the code to where both may import it, or change the table in scripts/check-house/directions.ts and say why.',
    'packages/store/src/index.ts:1 imports "maru", but store may import only protocol, i18n, guard, agent: ' +
      'move the code to where both may import it, or change the table in scripts/check-house/directions.ts and say why.',
    'scripts/a.mjs:1 imports "@maru/store", but a script of the root may import no package: ' +
      'move the code to where both may import it, or change the table in scripts/check-house/directions.ts and say why.',
  ])
})

test('bench and the tests of the root import any package but those that start something', async () => {
  expect(
    await problems({
      'bench/a.ts': `import { open } from '@maru/store'\nopen()\n`,
      'test/a.test.ts': `import { open } from '@maru/testkit'\nopen()\n`,
      'test/b.test.ts': `import { main } from 'maru'\nmain()\n`,
    }),
  ).toEqual([
    expect.stringContaining('test/b.test.ts:1 imports "maru", but a test of the root may import only protocol,'),
  ])
})

test('testkit is imported only by tests', async () => {
  expect(
    await problems({
      'packages/store/package.json': manifest('@maru/store', { '@maru/testkit': '*' }),
      'packages/store/src/index.ts': `export { open } from '@maru/testkit'\n`,
      'packages/store/test/a.test.ts': `import { open } from '@maru/testkit'\nopen()\n`,
    }),
  ).toEqual([
    'packages/store/src/index.ts:1 imports "@maru/testkit" outside tests and bench: ' +
      'move what is needed into the package that owns it.',
  ])
})

test('cli imports the scripted model lazily or as a type, not at once', async () => {
  const cli = manifest('maru', { '@maru/scripted-model': '*' })
  const model = {
    'packages/scripted-model/package.json': manifest('@maru/scripted-model', {}),
    'packages/scripted-model/README.md': 'A model.\n',
    'packages/scripted-model/src/index.ts': 'export const serve = 1\n',
    'packages/cli/package.json': cli,
  }
  const lazy = `import type { serve } from '@maru/scripted-model'\nexport type S = typeof serve\nawait import('@maru/scripted-model')\n`
  expect(await problems({ ...model, 'packages/cli/src/demo.ts': lazy })).toEqual([])
  expect(
    await problems({ ...model, 'packages/cli/src/demo.ts': `import { serve } from '@maru/scripted-model'\n` }),
  ).toEqual([
    'packages/cli/src/demo.ts:1 imports "@maru/scripted-model" at once, which every start would pay for: ' +
      'use await import("@maru/scripted-model") where it is needed, and import type for its types.',
  ])
})

test('a path into another package is refused, by name or by dots', async () => {
  expect(
    await problems({
      'packages/store/src/a.ts': `export { a } from '@maru/protocol/src/a.ts'\nexport type B = import('../../protocol/src/b.ts').B\n`,
    }),
  ).toEqual([
    'packages/store/src/a.ts:1 imports "@maru/protocol/src/a.ts", a path into another package: ' +
      'import from "@maru/protocol", and export from its src/index.ts what is needed.',
    'packages/store/src/a.ts:2 imports "../../protocol/src/b.ts", a path into another package: ' +
      'import from "@maru/protocol", and export from its src/index.ts what is needed.',
  ])
})

test('what a package imports stands in its own package.json; for tests also in that of the root', async () => {
  expect(
    await problems({
      'packages/protocol/src/a.ts': `import { z } from 'zod/mini'\nexport const a = z\n`,
      'packages/protocol/test/a.test.ts': `import { test } from 'vitest'\ntest('a')\n`,
      'packages/cli/src/a.ts': `import { open } from '@maru/store'\nopen()\n`,
      'scripts/a.ts': `import { build } from 'esbuild'\nimport left from '@scope/left/pad'\nbuild(left)\n`,
    }),
  ).toEqual([
    'packages/cli/src/a.ts:1 imports "@maru/store", which packages/cli/package.json does not declare: ' +
      'add "@maru/store": "*" to its dependencies, then npm install.',
    'packages/protocol/src/a.ts:1 imports "zod", which packages/protocol/package.json does not declare: ' +
      'npm install zod --workspace packages/protocol.',
    'scripts/a.ts:1 imports "esbuild", which package.json does not declare: npm install esbuild --save-dev.',
    'scripts/a.ts:2 imports "@scope/left", which package.json does not declare: npm install @scope/left --save-dev.',
  ])
})

test('a browser package imports nothing of Node, but its tests may', async () => {
  expect(
    await problems({
      'packages/protocol/src/a.ts': `import { join } from 'node:path'\nexport const a = join\n`,
      'packages/protocol/test/a.test.ts': `import { join } from 'node:path'\njoin()\n`,
      'packages/store/src/a.ts': `import { join } from 'node:path'\nexport const a = join\n`,
    }),
  ).toEqual([
    'packages/protocol/src/a.ts:1 imports "node:path", but protocol has to run in a browser: ' +
      'take what it gives as a parameter, and let cli or server pass it in.',
  ])
})

test('a browser package is bundled, so that what its dependencies do shows too', async () => {
  expect(
    await problems({
      'packages/protocol/package.json': manifest('@maru/protocol', { sly: '1' }),
      'packages/protocol/src/index.ts': `export { a } from 'sly'\n`,
      'node_modules/sly/package.json': '{ "main": "sly.js" }',
      'node_modules/sly/sly.js': `import fs from 'node:fs'\nexport const a = fs\n`,
    }),
  ).toEqual([expect.stringMatching(/^packages\/protocol does not bundle for a browser: .*"node:fs".*parameter\.$/s)])
})

test('a cycle of files is shown as a trail, whatever kind of import closes it', async () => {
  expect(
    await problems({
      'packages/protocol/src/a.ts': `import { b } from './b.ts'\nexport const a = b\n`,
      'packages/protocol/src/b.ts': `import type { c } from './c.ts'\nexport const b: typeof c = 1\n`,
      'packages/protocol/src/c.ts': `export const c = () => import('./a.ts')\n`,
    }),
  ).toEqual([
    'packages/protocol/src/a.ts is part of a cycle: packages/protocol/src/a.ts → packages/protocol/src/b.ts → ' +
      'packages/protocol/src/c.ts → packages/protocol/src/a.ts: move what both sides need into a file of its own.',
  ])
})

test('a file over the limit of its kind is refused', async () => {
  expect(
    await problems({
      'packages/protocol/src/a.ts': 'export {}\n'.repeat(500),
      'packages/protocol/src/b.ts': 'export {}\n'.repeat(501),
      'packages/protocol/test/a.test.ts': 'export {}\n'.repeat(800),
      'packages/protocol/test/b.test.ts': 'export {}\n'.repeat(801),
      'scripts/long.mjs': 'export {}\n'.repeat(501),
      'packages/protocol/test/fixtures/long.ts': 'export {}\n'.repeat(2000),
    }),
  ).toEqual([
    'packages/protocol/src/b.ts has 501 lines; the limit is 500: split it by subject.',
    'packages/protocol/test/b.test.ts has 801 lines; the limit is 800: split it by subject.',
    'scripts/long.mjs has 501 lines; the limit is 500: split it by subject.',
  ])
})

test('default exports and export * are refused, except where a tool wants a default', async () => {
  expect(
    await problems({
      'packages/protocol/src/a.ts': `// export * from './in-a-comment.ts'\nexport * from './b.ts'\nexport * as b from './b.ts'\nexport default 1\n`,
      'packages/protocol/src/b.ts': 'export const b = `\nexport default 1`\n',
      'packages/protocol/src/c.ts': `import * as b from './b.ts'\nexport { b }\n`,
      'tool.config.ts': 'export default {}\n',
    }),
  ).toEqual([
    'packages/protocol/src/a.ts:2 has an export *: list what it exports by name.',
    'packages/protocol/src/a.ts:3 has an export *: list what it exports by name.',
    'packages/protocol/src/a.ts:4 has a default export: export it by its name.',
  ])
})

test('a package has a README, an entry, and a row in the table of directions', async () => {
  expect(await problems({ 'packages/attic/package.json': manifest('@maru/attic', {}) })).toEqual([
    'packages/attic has no README.md: write one: what it is for, its few exports, one example.',
    'packages/attic has no row in scripts/check-house/directions.ts: add what it may import, and to whom it is open.',
    'packages/attic has no src/index.ts: add it: other packages see only what it lists.',
  ])
})

test('a lock file without addresses and with every platform is asked for', async () => {
  const packages = {
    'node_modules/ours': { resolved: 'packages/ours' },
    'node_modules/theirs': { resolved: 'https://registry.test/theirs.tgz' },
    'node_modules/native': { optionalDependencies: { '@native/mac': '1', '@native/linux': '1' } },
    'node_modules/@native/linux': {},
  }
  expect(await problems({ 'package-lock.json': JSON.stringify({ packages }) })).toEqual([
    'package-lock.json holds 1 download addresses: delete its "resolved" lines that are addresses; ' +
      '.npmrc (omit-lockfile-registry-resolved) keeps them out.',
    'package-lock.json lacks @native/mac for other platforms, so npm ci refuses it: ' +
      'pin a release of node_modules/native that the registry has whole, then npm install.',
  ])
})

test('a file that cannot be parsed is named', async () => {
  expect(await problems({ 'bench/a.ts': 'export const = 1\n' })).toEqual([
    expect.stringMatching(/^bench\/a\.ts cannot be parsed: .*: mend its syntax\.$/),
  ])
})

/** The problems of a small house in order, with the given files added or put in place of its own. */
const i18n = {
  'packages/i18n/package.json': manifest('@maru/i18n', {}),
  'packages/i18n/README.md': 'Words.\n',
  'packages/i18n/src/index.ts': 'export const words = 1\n',
  'packages/i18n/src/catalogue.ts': `import { some } from './catalogue/some.ts'\nexport const subjects = [some]\n`,
}

function messages(...rows: string[]): string {
  const define =
    'const defineMessages = (table: object) => table; const defineSubject = (_words: string, make: () => object) => make'
  return `${define}\nexport const some = defineSubject('some', () => defineMessages({\n${rows.map((row) => `  ${row},\n`).join('')}}))\n`
}

test('a message that is missing in a language, or is in the other one, is named', async () => {
  expect(
    await problems({
      ...i18n,
      'packages/i18n/src/catalogue/some.ts': messages(
        `'a.good': { en: 'Good {n}', ko: '좋음 {n}' }`,
        `'a.missing': { en: 'Only English' }`,
        `'a.empty': { en: '', ko: '있음' }`,
        `'a.left': { en: 'Left over', ko: 'Left over' }`,
        `'a.mixed': { en: 'In 한국어', ko: '한국어' }`,
        `'a.sign': { en: '{n} %', ko: '{n}%' }`,
      ),
    }),
  ).toEqual([
    'packages/i18n/src/catalogue/some.ts:4 "a.missing" has no Korean: write it in both languages.',
    'packages/i18n/src/catalogue/some.ts:5 "a.empty" has no English: write it in both languages.',
    'packages/i18n/src/catalogue/some.ts:6 "a.left" has no Hangul in its Korean: ' +
      'write it in Korean, or name it in SAME_IN_BOTH if it is a name or a unit.',
    'packages/i18n/src/catalogue/some.ts:7 "a.mixed" has Hangul in its English: write it in English.',
  ])
})

test('a file of messages that the catalogue does not list is named', async () => {
  expect(
    await problems({
      ...i18n,
      'packages/i18n/src/catalogue/some.ts': messages(),
      'packages/i18n/src/catalogue/other.ts': messages().replace('some', 'other'),
    }),
  ).toEqual([
    'packages/i18n/src/catalogue/other.ts is no part of the catalogue: ' +
      'name it in packages/i18n/src/catalogue.ts, or nobody can say what is in it.',
  ])
})

test('what a person is told outside the catalogue is found; keys, commands, codes and single words are not', async () => {
  const source = (text: string) => ({
    'packages/cli/package.json': manifest('maru', {}),
    'packages/cli/README.md': 'A door.\n',
    'packages/cli/src/main.ts': text,
  })
  const fine = [
    "import type { a } from './not a sentence at all.ts'",
    "export const usage = ['config set KEY VALUE', 'maru config set this now']",
    "await stdout.line(t('cli.missing', { argument: 'FILE' }))",
    "await stdout.line('maru ' + version)",
    "throw new CliError('no-key', t('cli.no-key'))",
    "export const code = 'not a-sentence'",
  ]
  expect(await problems(source(`${fine.join('\n')}\n`))).toEqual([])
  const said = (line: number, text: string) =>
    `packages/cli/src/main.ts:${line} says "${text}" outside the catalogue: put it into packages/i18n/src/catalogue in ` +
    'both languages, or into NOT_SHOWN if no person sees it.'
  const shown = [
    "await stdout.line('all done')",
    "await notice(t('cli.missing', { argument: 'some files' }))",
    "export const text = 'this is a sentence'",
    "throw usageError(isBad ? 'bad luck' : 'x')",
  ]
  expect(await problems(source(`${shown.join('\n')}\n`))).toEqual([
    said(1, 'all done'),
    said(2, 'some files'),
    said(3, 'this is a sentence'),
    said(4, 'bad luck'),
  ])
})

async function problems(changes: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'maru-house-'))
  roots.push(root)
  for (const [path, text] of Object.entries({ ...inOrder, ...changes })) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return (await checkHouse(root)).map(describeProblem).sort()
}

function manifest(name: string, dependencies: Record<string, string>): string {
  return JSON.stringify({ name, type: 'module', exports: './src/index.ts', dependencies })
}

const inOrder: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'house', devDependencies: { vitest: '4' } }),
  'package-lock.json': '{}',
  'packages/protocol/package.json': manifest('@maru/protocol', {}),
  'packages/protocol/README.md': 'Facts.\n',
  'packages/protocol/src/index.ts': 'export const fact = 1\n',
  'packages/store/package.json': manifest('@maru/store', { '@maru/protocol': '*' }),
  'packages/store/README.md': 'Logs.\n',
  'packages/store/src/index.ts': `import { fact } from '@maru/protocol'\nexport const open = () => fact\n`,
  'packages/testkit/package.json': manifest('@maru/testkit', {}),
  'packages/testkit/README.md': 'For tests.\n',
  'packages/testkit/src/index.ts': `import { test } from 'vitest'\nexport const open = test\n`,
  'packages/cli/package.json': manifest('maru', {}),
  'packages/cli/README.md': 'The command.\n',
  'packages/cli/src/main.ts': 'process.exitCode = 0\n',
}
