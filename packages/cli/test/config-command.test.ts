import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

test('list shows what holds and from where, and no key', async () => {
  const root = await makeDirectory({
    'home/config.json': '{ "model": "gpt-5", "keys": { "openai": "sk-0123456789abc" } }',
    'repo/maru.json': '{ "ignore": ["dist"] }',
  })
  const env = { MARU_HOME: join(root, 'home'), MARU_PROVIDER: 'openai', ANTHROPIC_API_KEY: 'sk-ant-0123456789' }
  const call = { env, cwd: join(root, 'repo') }
  expect(await run(['config', 'list'], call)).toEqual({
    code: 0,
    stderr: '',
    stdout: `idleTimeout = 120  (default)
ignore = ["dist"]  (maru.json)
keys.anthropic = "sk-•••"  (environment)
keys.openai = "sk-•••"  (config.json)
lang = "en"  (default)
maxTurns = 20  (default)
mode = "ask"  (default)
model = "gpt-5"  (config.json)
provider = "openai"  (environment)
`,
  })
  const { stdout } = await run(['config', 'list', '--json', '--lang', 'ko'], call)
  expect(JSON.parse(stdout).settings).toContainEqual({ key: 'lang', value: 'ko', source: 'flag' })
  expect(stdout).not.toContain('0123456789')
})

test('get prints one value, a part of the settings, or says that there is none', async () => {
  const home = await makeDirectory({ 'config.json': '{ "model": "x", "limits": { "tokens": 5, "seconds": 6 } }' })
  const call = { env: { MARU_HOME: home } }
  expect((await run(['config', 'get', 'model'], call)).stdout).toBe('x\n')
  expect((await run(['config', 'get', 'limits.tokens'], call)).stdout).toBe('5\n')
  expect((await run(['config', 'get', 'limits'], call)).stdout).toBe(
    'limits.seconds = 6  (config.json)\nlimits.tokens = 5  (config.json)\n',
  )
  expect(await run(['config', 'get', 'effort'], call)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'maru: "effort" is not set; set it with: maru config set effort VALUE\n',
  })
  expect(await run(['config', 'get', 'modle'], call)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'maru: unknown key "modle"; did you mean "model"?\n',
  })
})

test('set changes one value and leaves comments and layout alone', async () => {
  const home = await makeDirectory({ 'config.json': '{\n  // cheap\n  "model": "a", // one\n  "maxTurns": 5,\n}\n' })
  const file = join(home, 'config.json')
  await chmod(file, 0o644)
  const call = { env: { MARU_HOME: home } }
  expect(await run(['config', 'set', 'model', 'b'], call)).toEqual({
    code: 0,
    stdout: '',
    stderr: `model is set in ${file}\n`,
  })
  await run(['config', 'set', 'maxTurns', '7', '--quiet'], call)
  expect(await readFile(file, 'utf8')).toBe('{\n  // cheap\n  "model": "b", // one\n  "maxTurns": 7,\n}\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(home)).toEqual(['config.json'])
})

test('set makes a private file where there is none; a key may come from stdin', async () => {
  const home = join(await makeDirectory(), 'new')
  const call = { env: { MARU_HOME: home }, stdin: 'sk-ant-0123456789\n' }
  const { code, stdout, stderr } = await run(['config', 'set', 'keys.anthropic', '-'], call)
  expect([code, stdout, stderr.includes('0123456789')]).toEqual([0, '', false])
  await run(['config', 'set', 'models."gpt-4.1".window', '1000'], call)
  expect(JSON.parse(await readFile(join(home, 'config.json'), 'utf8'))).toEqual({
    keys: { anthropic: 'sk-ant-0123456789' },
    models: { 'gpt-4.1': { window: 1000 } },
  })
  expect([(await stat(home)).mode & 0o777, (await stat(join(home, 'config.json'))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
})

test('behind a link, the link stays', async () => {
  const root = await makeDirectory({ 'dotfiles/maru.json': '{}', 'home/x': '' })
  await symlink(join(root, 'dotfiles/maru.json'), join(root, 'home/config.json'))
  await run(['config', 'set', 'model', 'b'], { env: { MARU_HOME: join(root, 'home') } })
  expect(JSON.parse(await readFile(join(root, 'dotfiles/maru.json'), 'utf8'))).toEqual({ model: 'b' })
})

test.each([
  [['modle', 'x'], 'maru: unknown key "modle"; did you mean "model"?\n'],
  [['maxTurns', 'many'], 'maru: "maxTurns" must be a whole number above 0\n'],
  [['mode', 'yess'], 'maru: "mode" must be one of: ask, auto, read-only, yes; did you mean "yes"?\n'],
  [['model.name.deep', 'x'], 'maru: "model" must be a text in quotes, and not empty\n'],
  [['test', 'npm test'], 'maru: "test" belongs into the maru.json of a repository\n'],
  [['a..b', 'x'], 'maru: "a..b" is not a key; write it like limits.tokens or models."gpt-4.1".window\n'],
  [['__proto__', '{}'], 'maru: "__proto__" cannot be a key; choose another name\n'],
  [['model'], 'maru: VALUE is missing; see "maru config -h"\n'],
  [[], 'maru: KEY is missing; see "maru config -h"\n'],
])('set %j is refused and nothing is written', async (args, stderr) => {
  const text = '{ "model": "a" }'
  const home = await makeDirectory({ 'config.json': text })
  expect(await run(['config', 'set', ...args], { env: { MARU_HOME: home } })).toEqual({ code: 2, stdout: '', stderr })
  expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(text)
})

test('a file with a mistake is never written to', async () => {
  const text = '{ "model": "a", '
  const home = await makeDirectory({ 'config.json': text })
  const { code, stderr } = await run(['config', 'set', 'model', 'b'], { env: { MARU_HOME: home } })
  expect([code, stderr]).toEqual([2, `maru: ${home}/config.json:1:17 a key in double quotes is expected here\n`])
  expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(text)
})

test('errors of both files are told at once, all of them with --verbose and in JSON', async () => {
  const root = await makeDirectory({ 'home/config.json': '{ "modle": 1 }', 'repo/maru.json': '{ "keys": {} }' })
  const call = { env: { MARU_HOME: join(root, 'home') }, cwd: join(root, 'repo') }
  const first = `${root}/home/config.json:1:3 unknown key "modle"; did you mean "model"?`
  const second = `${root}/repo/maru.json:1:3 "keys" belongs into your own config.json; a repository may not choose it`
  const message = `${first} (and 1 more problem; see "maru doctor")`
  expect(await run(['config', 'list', '--verbose'], call)).toEqual({
    code: 2,
    stdout: '',
    stderr: `maru: ${message}\n  ${first}\n  ${second}\n`,
  })
  const { stdout } = await run(['config', 'list', '--json'], call)
  expect(JSON.parse(stdout)).toEqual({ type: 'error', code: 'config', message, details: [first, second] })
})

test('keys that others may read are warned about, once', async () => {
  const home = await makeDirectory({ 'config.json': '{ "model": "x", "keys": { "openai": "sk-0123456789abc" } }' })
  await chmod(join(home, 'config.json'), 0o640)
  const { stderr, stdout } = await run(['config', 'get', 'model'], { env: { MARU_HOME: home } })
  expect(stdout).toBe('x\n')
  expect(stderr).toBe(
    `warning: others on this machine can read the keys in ${home}/config.json; run: chmod 600 ${home}/config.json\n`,
  )
})

test('a key that does not exist is answered with those that do, each once', async () => {
  const { stderr } = await run(['config', 'get', 'zzz'])
  const known = (stderr.split(': ').at(-1) ?? '').trim().split(', ')
  expect(known).toContain('rules')
  expect(new Set(known).size).toBe(known.length)
})
