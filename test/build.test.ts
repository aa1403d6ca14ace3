import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleCommand } from '../scripts/house/build.mjs'

const loader = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maru-build-'))
  for (const folder of ['src', 'bin', 'dist']) mkdirSync(join(root, folder))
  copyFileSync(loader, join(root, 'bin/maru.cjs'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the version is built in, and Korean text survives', async () => {
  await build({ 'main.ts': 'declare const MARU_VERSION: string\nprocess.stdout.write("마루 " + MARU_VERSION)\n' })
  expect(run()).toEqual({ code: 0, output: '마루 1.2.3' })
})

test('what is behind import() runs only when it is asked for', async () => {
  const inputs = await build({
    'main.ts': `if (process.argv[2] === 'more') void import('./more.ts')\n`,
    'more.ts': `process.stdout.write('more is loaded')\nexport const more = 1\n`,
  })
  expect(inputs.toSorted()).toEqual(['src/main.ts', 'src/more.ts'])
  expect(run()).toEqual({ code: 0, output: '' })
  expect(run('more')).toEqual({ code: 0, output: 'more is loaded' })
})

test('what is needed together is one file, and the rest is loaded from files of its own', async () => {
  await build(
    {
      'main.ts': `if (process.argv[2]) void import('./near.ts').then(({ near }) => near())\n`,
      'near.ts': `import { word } from './word.ts'\nexport const near = async () => (await import('./far.ts')).far(word)\n`,
      'word.ts': `export const word = '말'\n`,
      'far.ts': `import { word } from './word.ts'\nexport const far = (said: string) => console.log(said, word, import.meta.url)\n`,
    },
    ['near.ts'],
  )
  expect(readdirSync(join(root, 'dist')).map((name) => name.replace(/-.*/, ''))).toEqual(['far', 'maru.cjs', 'near'])
  for (const _ of ['compiled', 'kept']) expect(run('go').output).toMatch(/^말 말 file:.*\/dist\/far-.*\.cjs\n$/)
  expect(readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.cache'))).toHaveLength(3)
})

test('a running process finds its files after another build; what is old goes', async () => {
  const sources = (word: string) => ({ 'main.ts': `void import('./more.ts')\n`, 'more.ts': `console.log('${word}')\n` })
  await build(sources('one'))
  const [before = ''] = readdirSync(join(root, 'dist')).filter((name) => name.startsWith('more'))
  await build(sources('two'))
  expect(run()).toEqual({ code: 0, output: 'two\n' })
  expect(existsSync(join(root, 'dist', before))).toBe(true)
  utimesSync(join(root, 'dist', before), 0, 0)
  await build(sources('two'))
  expect(existsSync(join(root, 'dist', before))).toBe(false)
})

test('import() of a real module works, at the first start and from compiled code', async () => {
  writeFileSync(join(root, 'plugin.mjs'), `export const word = 'a plugin'\n`)
  await build({ 'main.ts': `void import(process.argv[2] ?? '').then(({ word }) => process.stdout.write(word))\n` })
  const plugin = join(root, 'plugin.mjs')
  expect(run(plugin)).toEqual({ code: 0, output: 'a plugin' })
  expect(existsSync(cache())).toBe(true)
  expect(run(plugin)).toEqual({ code: 0, output: 'a plugin' })
})

test('a new bundle of the same length does not run the old code', async () => {
  await build({ 'main.ts': `process.stdout.write('old')\n` })
  expect(run()).toEqual({ code: 0, output: 'old' })
  const before = readFileSync(cache())
  await build({ 'main.ts': `process.stdout.write('new')\n` })
  expect(run()).toEqual({ code: 0, output: 'new' })
  expect(readFileSync(cache()).equals(before)).toBe(false)
})

test('spoilt compiled code is thrown away and made again', async () => {
  await build({ 'main.ts': `process.stdout.write('fine')\n` })
  run()
  const kept = readFileSync(cache())
  writeFileSync(cache(), kept.subarray(0, 100))
  expect(run()).toEqual({ code: 0, output: 'fine' })
  expect(readFileSync(cache()).length).toBeGreaterThan(100)
})

test('a place where nothing can be kept is no error', async () => {
  await build({ 'main.ts': `process.stdout.write('fine')\n` })
  mkdirSync(cache())
  expect(run()).toEqual({ code: 0, output: 'fine' })
})

test('without bundle and checkout the command says what to do', () => {
  expect(run()).toEqual({
    code: 1,
    output: expect.stringMatching(/^maru: .*maru\.cjs is missing; install maru again\.\n$/),
  })
})

test('a source that does not build is named with its line', async () => {
  await expect(build({ 'main.ts': `import { gone } from './gone.ts'\ngone()\n` })).rejects.toMatchObject({
    name: 'HouseError',
    detail: expect.stringContaining('src/main.ts:1:22'),
  })
})

async function build(sources: Record<string, string>, group: string[] = []): Promise<string[]> {
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(root, 'src', name), text)
  return bundleCommand({
    root,
    entry: join(root, 'src/main.ts'),
    groups: [{ name: 'near', files: group.map((name) => join(root, 'src', name)) }],
    directory: join(root, 'dist'),
    version: '1.2.3',
  })
}

function run(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/maru.cjs'), ...args], {
    encoding: 'utf8',
  })
  return { code: status, output: stdout + stderr }
}

function cache(): string {
  return join(root, 'dist/maru.cjs.cache')
}
