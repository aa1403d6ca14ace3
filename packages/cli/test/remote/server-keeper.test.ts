import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { type House, openHouse } from './house.ts'

let house: House
let url = ''
beforeAll(async () => {
  house = await openHouse([])
  url = (await house.serve()).server.url
}, 120_000)
afterAll(() => house.close())

const call = (args: string[], stdin = '') =>
  run(args, { env: house.env as Record<string, string>, cwd: house.repo, stdin })
const json = async <T>(args: string[]) => JSON.parse((await call([...args, '--json'])).stdout) as T
const statusOf = async (token: string) =>
  (await fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

test('while a server holds the history, people and tokens are looked after through it, and nobody sees a difference', async () => {
  expect(await call(['user', 'add', '가온', '--password-stdin'], 'long enough\n')).toEqual({
    ...{ code: 0, stdout: '가온 was added, with a password\n', stderr: '' },
  })
  const signIn = (password: string) =>
    fetch(`${url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: '가온', password }),
    })
  expect((await signIn('long enough')).status).toBe(200)
  expect(await call(['user', 'password', '가온', '--password-stdin'], 'another one\n')).toMatchObject({ code: 0 })
  expect([(await signIn('long enough')).status, (await signIn('another one')).status]).toEqual([401, 200])
  expect(await call(['user', 'add', '가온'])).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
  expect(await call(['user', 'add', ' x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be a name'),
  })
  expect(await call(['user', 'password', 'nobody', '--password-stdin'], 'x\n')).toMatchObject({ code: 1 })
  const listed = await call(['user', 'list'])
  expect(listed.stdout).toMatch(/^가온 +since \d{4}-\d\d-\d\d \d\d:\d\d {2}password$/m)
  expect(listed.stdout).toMatch(/no password {2}you$/m)

  const made = await json<{ token: string; id: string; expiresAt: number }>([
    ...['token', 'create', '--user', '가온', '--label', 'laptop', '--scope', 'read', '--expires', '12h'],
  ])
  expect(made).toEqual({
    ...{ token: expect.stringMatching(/^maru_[\w-]{43}$/), id: expect.any(String), expiresAt: expect.any(Number) },
  })
  expect(Math.abs(made.expiresAt - Date.now() - 12 * 3_600_000)).toBeLessThan(600_000)
  expect(await statusOf(made.token)).toBe(200)
  const mine = await call(['token', 'create'])
  expect(mine).toMatchObject({ code: 0, stderr: expect.stringContaining('this token is shown once') })
  expect(await statusOf(mine.stdout.trim())).toBe(200)
  const { tokens } = await json<{ tokens: object[] }>(['token', 'list', '--user', '가온'])
  expect(tokens).toContainEqual({
    ...{ id: made.id, kind: 'token', user: '가온', label: 'laptop', scopes: ['read'] },
    ...{ createdAt: expect.any(Number), expiresAt: made.expiresAt, lastUsedAt: expect.any(Number) },
  })
  expect((await call(['token', 'list'])).stdout).toMatch(
    new RegExp(`^${made.id} +가온 +token +read +until .* laptop$`, 'm'),
  )
  expect(await call(['token', 'create', '--user', 'nobody'])).toMatchObject({ code: 1 })
  expect(await call(['token', 'revoke', made.id.slice(0, 13)])).toMatchObject({
    ...{ code: 0, stdout: `token ${made.id} was revoked\n` },
  })
  expect(await statusOf(made.token)).toBe(401)
  expect(await call(['token', 'revoke', 'ffffffff'])).toMatchObject({ code: 1 })

  expect(await call(['user', 'remove', '가온'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await json(['user', 'remove', '가온', '--yes'])).toMatchObject({ name: '가온', removed: true })
  const { users } = await json<{ users: { name: string }[] }>(['user', 'list'])
  expect(users.map(({ name }) => name)).not.toContain('가온')
  expect(await call(['user', 'remove', users[0]?.name ?? '', '--yes'])).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('works at this terminal') },
  })
}, 120_000)
