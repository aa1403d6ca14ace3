import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { complainAboutNode } from '../scripts/house/command.mjs'
import { ensureInstalled, explainFailure } from '../scripts/house/install.mjs'
import { withLock } from '../scripts/house/lock.mjs'

const repository = join(import.meta.dirname, '..')
const good = { code: 0, output: '' }
let root: string
let said: string[]
let house: { root: string; say: (line: string) => void }

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maru-install-'))
  mkdirSync(join(root, 'packages/a'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json', 'packages/a/package.json'])
    writeFileSync(join(root, file), '{}')
  said = []
  house = { root, say: (line) => said.push(line) }
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

test('packages are installed once, from the lock file, with install scripts off', async () => {
  const runs: string[][] = []
  const npm = async (args: string[]) => {
    runs.push(args.slice(0, 2))
    return good
  }
  await ensureInstalled(house, npm)
  await ensureInstalled(house, npm)
  expect(runs).toEqual([['ci', '--ignore-scripts']])
  expect(said).toEqual([
    'installing packages (later runs skip this)',
    expect.stringMatching(/^packages installed in \d+\.\d s$/),
  ])
})

test.each(['package.json', 'package-lock.json', 'packages/a/package.json'])(
  'a change of %s installs again',
  async (file) => {
    let runs = 0
    const npm = async () => {
      runs++
      return good
    }
    await ensureInstalled(house, npm)
    writeFileSync(join(root, file), '{ "changed": true }')
    await ensureInstalled(house, npm)
    expect(runs).toBe(2)
  },
)

test('an install that fails is not taken for a good one, not even after an earlier good one', async () => {
  await ensureInstalled(house, async () => good)
  writeFileSync(join(root, 'package-lock.json'), '{ "changed": true }')
  const failing = ensureInstalled(house, async () => ({ code: 1, output: 'npm error code ENOTFOUND' }))
  await expect(failing).rejects.toMatchObject({ name: 'HouseError', detail: 'npm error code ENOTFOUND' })
  writeFileSync(join(root, 'package-lock.json'), '{}')
  let runs = 0
  await ensureInstalled(house, async () => {
    runs++
    return good
  })
  expect(runs).toBe(1)
})

test('of two commands at once one installs, and the other waits and says so', async () => {
  let runs = 0
  let finish = () => {}
  const npm = () =>
    new Promise<typeof good>((resolve) => {
      runs++
      finish = () => resolve(good)
    })
  const first = ensureInstalled(house, npm)
  const second = ensureInstalled(house, npm)
  finish()
  await Promise.all([first, second])
  expect(runs).toBe(1)
  expect(said).toContain(`waiting for another command that installs or builds here (process ${process.pid})`)
  expect(existsSync(join(root, '.house-lock'))).toBe(false)
})

test('the lock of a process that is gone is taken over', async () => {
  // No process has this id: Linux stops at 2^22.
  writeFileSync(join(root, '.house-lock'), `${2 ** 30} ${hostname()} 0`)
  expect(await withLock(house, async () => 'done')).toBe('done')
  expect(said).toEqual([])
})

test('a lock is given back when the work fails', async () => {
  await expect(withLock(house, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(join(root, '.house-lock'))).toBe(false)
})

test('why npm failed is said in one line with what to do', () => {
  expect(explainFailure('npm error code EAI_AGAIN')).toMatch(/registry cannot be reached\. Connect to the network, or/)
  expect(explainFailure('`npm ci` can only install packages when … are in sync.')).toMatch(/Run npm install, then this/)
  expect(explainFailure('something else')).toMatch(/its words are above/)
})

test('an old Node gets one line in both languages, and a new one none', () => {
  expect(complainAboutNode('20.19.0', '>=20.19')).toBeUndefined()
  expect(complainAboutNode('22.0.0', '>=20.19')).toBeUndefined()
  expect(complainAboutNode('20.18.3', '>=20.19')).toBe(
    'Maru needs Node 20.19 or newer and this is 20.18.3: install it from nodejs.org and run this again. ' +
      'Maru는 Node 20.19 이상이 필요합니다(지금 20.18.3). nodejs.org에서 설치한 뒤 다시 실행하세요.',
  )
})

test('the command asks for the same Node as package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  const bin = readFileSync(join(repository, 'packages/cli/bin/maru.cjs'), 'utf8')
  expect(bin).toContain(`maru needs Node ${engines.node.replace('>=', '')} or newer`)
})
