import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyPassword } from '@maru/server'
import { type History, openHistory, sha256 } from '@maru/store'
import { testPostgres } from '@maru/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../src/registry.ts'
import { runCli } from '../../src/run-cli.ts'
import { run } from '../run.ts'

let root = ''
let env: Record<string, string> = {}
let history: History

const call = (args: string[], { stdin = '', lang = 'en' } = {}) =>
  run(args, { env: { ...env, MARU_LANG: lang }, cwd: root, stdin })
const json = async <T>(args: string[], stdin = '') =>
  JSON.parse((await call([...args, '--json'], { stdin })).stdout) as T

/** The same with somebody at the terminal, who types these lines. */
async function typed(args: string[], lines: string[]) {
  const shown = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof shown) => ({
    isTTY: true,
    write: (text: string | Uint8Array) => {
      shown[name] += String(text)
      return true
    },
  })
  const stdin = (async function* () {
    yield lines.map((line) => `${line}\n`).join('')
  })()
  const code = await runCli(
    args,
    {
      stdin: Object.assign(stdin, { isTTY: true }),
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      env: { ...env, MARU_LANG: 'en' },
      cwd: root,
      signal: new AbortController().signal,
    },
    commands,
  )
  return { code, ...shown }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'maru-access-'))
  const databaseUrl = await (await testPostgres()).createDatabase()
  env = { MARU_HOME: join(root, 'home'), DATABASE_URL: databaseUrl }
  history = await openHistory({ home: '', databaseUrl, now: Date.now })
})
afterAll(async () => {
  await history.close()
  await rm(root, { recursive: true, force: true })
})

test('people are added with a password from stdin, from the terminal, or without one', async () => {
  expect(await call(['user', 'add', '가온', '--password-stdin'], { stdin: 'long enough\nrest' })).toEqual({
    code: 0,
    stdout: '가온 was added, with a password\n',
    stderr: '',
  })
  const known = async (name: string, password: string) =>
    verifyPassword(password, (await history.access.findPerson(name))?.passwordHash)
  expect([await known('가온', 'long enough'), await known('가온', 'long enough\nrest')]).toEqual([true, false])

  const asked = await typed(['user', 'add', 'typed'], ['so secret a word', 'so secret a word'])
  expect(asked).toMatchObject({ code: 0, stdout: 'typed was added, with a password\n' })
  expect(asked.stderr).toContain('Once more')
  expect(asked.stderr + asked.stdout).not.toContain('so secret')
  expect(await known('typed', 'so secret a word')).toBe(true)

  const differs = await typed(['user', 'add', 'hasty'], ['one password', 'another one'])
  expect(differs).toMatchObject({ code: 2, stderr: expect.stringContaining('the two passwords differ') })
  expect(await history.access.findPerson('hasty')).toBeUndefined()
  expect(await typed(['user', 'add', 'empty'], [''])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('added without a password'),
  })

  const plain = await json<{ id: string }>(['user', 'add', 'plain'])
  expect(plain).toEqual({ id: expect.any(String), name: 'plain', hasPassword: false })
  expect(await call(['user', 'add', 'plain'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('plain is there already'),
  })
  expect(await call(['user', 'add', ' plain'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be a name'),
  })
  expect(await call(['user', 'add', 'x', '--password-stdin'])).toMatchObject({ code: 2 })
  expect(await call(['user', 'add'])).toMatchObject({ code: 2, stderr: expect.stringContaining('NAME is missing') })

  expect(await call(['user', 'password', 'plain', '--password-stdin'], { stdin: 'short\n', lang: 'ko' })).toEqual({
    code: 0,
    stdout: 'plain의 비밀번호를 바꿨습니다. 이미 로그인한 브라우저에서는 다시 로그인해야 합니다\n',
    stderr: '비밀번호가 8자보다 짧아 쉽게 알아낼 수 있습니다\n',
  })
  expect(await known('plain', 'short')).toBe(true)
  expect(await call(['user', 'password', 'nobody', '--password-stdin'], { stdin: 'x\n' })).toMatchObject({ code: 1 })
  expect(await call(['user', 'password', 'plain'])).toMatchObject({ code: 2 })
})

test('the list says who there is, who can sign in, and who you are', async () => {
  const { users } = await json<{ users: { name: string; hasPassword: boolean }[] }>(['user', 'list'])
  expect(users).toContainEqual({
    id: expect.any(String),
    name: '가온',
    createdAt: expect.any(Number),
    hasPassword: true,
  })
  expect(users).toContainEqual(expect.objectContaining({ name: 'empty', hasPassword: false }))
  const { stdout } = await call(['user', 'list'])
  expect(stdout).toMatch(/^가온 +since \d{4}-\d\d-\d\d \d\d:\d\d {2}password$/m)
  expect(stdout).toMatch(/no password {2}you$/m)
})

test('a token is shown once, and its hash opens the door until it is revoked', async () => {
  const made = await json<{ token: string; id: string; expiresAt: number }>([
    ...['token', 'create', '--user', '가온', '--label', 'laptop', '--scope', 'run', '--scope', 'read'],
    ...['--expires', '30d'],
  ])
  expect(made).toEqual({
    token: expect.stringMatching(/^maru_[\w-]{43}$/),
    id: expect.any(String),
    expiresAt: expect.any(Number),
  })
  expect(Math.abs(made.expiresAt - Date.now() - 30 * 86_400_000)).toBeLessThan(3_600_000)
  const key = await history.access.findKey(sha256(made.token))
  expect(key).toMatchObject({ id: made.id, label: 'laptop', scopes: ['read', 'run'], person: { name: '가온' } })

  const own = await call(['token', 'create'])
  expect(own).toMatchObject({ code: 0, stderr: expect.stringContaining('this token is shown once') })
  const mine = await history.access.findKey(sha256(own.stdout.trim()))
  expect(mine?.scopes).toEqual(['read', 'write', 'run'])

  const listed = await json<{ tokens: { id: string }[] }>(['token', 'list', '--user', '가온'])
  expect(listed.tokens).toEqual([
    {
      ...{ id: made.id, kind: 'token', user: '가온', label: 'laptop', scopes: ['read', 'run'] },
      ...{ createdAt: expect.any(Number), expiresAt: made.expiresAt, lastUsedAt: expect.any(Number) },
    },
  ])
  const { stdout } = await call(['token', 'list'])
  expect(stdout.trim().split('\n')).toHaveLength(2)
  expect(stdout).toMatch(new RegExp(`^${made.id} +가온 +token +read,run +until .* used .* laptop$`, 'm'))
  for (const secret of [made.token, sha256(made.token)]) expect(stdout + JSON.stringify(listed)).not.toContain(secret)

  expect(await call(['token', 'revoke', made.id.slice(0, 13)])).toMatchObject({
    code: 0,
    stdout: `token ${made.id} was revoked\n`,
  })
  expect(await history.access.findKey(sha256(made.token))).toBeUndefined()
  expect(await json(['token', 'revoke', mine?.id ?? ''])).toEqual({ id: mine?.id, revoked: true })
  expect(await call(['token', 'list'])).toMatchObject({ code: 0, stdout: '', stderr: 'there are no tokens yet\n' })
})

test('what makes no sense is refused before anything is made', async () => {
  for (const [args, code] of [
    [['token', 'revoke', 'ffffffff'], 1],
    [['token', 'revoke', ''], 1],
    [['token', 'revoke'], 2],
    [['token', 'create', '--user', 'nobody'], 1],
    [['token', 'create', '--scope', 'everything'], 2],
    [['token', 'create', '--expires', 'soon'], 2],
    [['token', 'create', '--expires', '0d'], 2],
    [['token', 'create', 'x'], 2],
    [['token', 'list', '--scope', 'read'], 2],
    [['user', 'list', 'x'], 2],
  ] as const) {
    expect((await call([...args])).code, args.join(' ')).toBe(code)
  }
  expect(await history.access.keys()).toEqual([])
})

test('whoever is removed is asked about first, and is gone with everything', async () => {
  const own = await history.open('leaving')
  await own.log.create('s', { agent: { kind: 'maru' }, door: 'web' })
  await own.log.close()
  const { token } = await json<{ token: string }>(['token', 'create', '--user', 'leaving'])
  expect(await call(['user', 'remove', 'leaving'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  const kept = await typed(['user', 'remove', 'leaving'], ['n'])
  expect(kept).toMatchObject({ code: 3, stderr: expect.stringContaining('leaving with 1 conversation and all tokens') })
  expect(await history.access.findKey(sha256(token))).toBeDefined()
  expect(await typed(['user', 'remove', 'leaving'], ['y'])).toMatchObject({ code: 0, stdout: 'leaving was removed\n' })
  expect(await history.access.findKey(sha256(token))).toBeUndefined()
  expect(await json(['user', 'remove', 'plain', '--yes'])).toMatchObject({ name: 'plain', removed: true })
  expect(await call(['user', 'remove', 'plain', '--yes'])).toMatchObject({ code: 1 })
  const [me] = (await json<{ users: { name: string }[] }>(['user', 'list'])).users.filter(
    ({ name }) => !['가온', 'typed', 'empty'].includes(name),
  )
  expect(await call(['user', 'remove', me?.name ?? '', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('works at this terminal'),
  })
  const actions = (await history.access.audit()).map(({ action }) => action)
  expect(new Set(actions)).toEqual(new Set(['user-add', 'user-password', 'key-made', 'key-revoked', 'user-remove']))
})

test('the embedded history knows the same people', { timeout: 120_000 }, async () => {
  const home = join(root, 'embedded')
  const here = (args: string[]) => run([...args, '--json'], { env: { MARU_HOME: home, MARU_LANG: 'en' }, cwd: root })
  expect(await here(['user', 'add', 'guest'])).toMatchObject({ code: 0 })
  const { users } = JSON.parse((await here(['user', 'list'])).stdout) as { users: { name: string }[] }
  expect(users.map(({ name }) => name)).toContain('guest')
})

test('what was done is shown, the newest first, of all or of one, in the language of who asks', async () => {
  const { notes } = await json<{ notes: { at: number; user: string; action: string }[] }>(['user', 'log'])
  const [me] = (await json<{ users: { name: string }[] }>(['user', 'list'])).users
  const added = { at: expect.any(Number), user: me?.name, action: 'user-add', door: 'terminal', detail: '가온' }
  expect(notes).toContainEqual(added)
  expect(notes.map(({ at }) => at)).toEqual(notes.map(({ at }) => at).toSorted((a, b) => b - a))
  await history.access.note({ action: 'sign-in-failed', address: '203.0.113.9' })
  await history.access.note({ action: 'from-tomorrow\u001b[2J' })
  const all = (await call(['user', 'log'])).stdout
  expect(all).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d +tried to sign in +203\.0\.113\.9$/m)
  expect(all).toContain('from-tomorrow')
  expect(all).not.toContain('\u001b')
  const one = (await call(['user', 'log', me?.name ?? ''], { lang: 'ko' })).stdout
  expect(one).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\S+ {2}사람 추가 {2,}terminal 가온$/m)
  expect(one).not.toContain('203.0.113.9')
  expect(await call(['user', 'log', 'nobody'])).toMatchObject({ code: 1 })
})
