import { randomBytes } from 'node:crypto'
import { type Scope, sha256 } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../socket/client.ts'
import { useHistory } from '../socket/world.ts'
import { type Served, send, serve } from './serve.ts'

let served: Served
let owner: { id: string; name: string }
const name = (what: string) => `${what} ${process.hrtime.bigint()}`
beforeAll(async () => {
  const history = await useHistory()
  owner = await history.access.addPerson(name('the owner'))
  served = await serve({ history, owner })
})
afterAll(() => served.server.close())

async function ownerWith(scopes: Scope[]) {
  const token = `maru_${randomBytes(32).toString('base64url')}`
  await served.history.access.addKey({ kind: 'token', owner: owner.id, hash: sha256(token), label: 'o', scopes })
  return (method: string, path: string, body?: unknown) =>
    send(served.url, { method, path, body, headers: { authorization: `Bearer ${token}` } })
}

const USERS = '/api/v1/users'
const at = (who: string, rest = '') => `${USERS}/${encodeURIComponent(who)}${rest}`

test('the owner adds people, gives them passwords, and removes them with everything of theirs', async () => {
  const ask = await ownerWith(['admin'])
  const [one, other] = [name('가온 / a%b'), name('other')]
  const added = await ask('POST', USERS, { name: one, password: 'a first password' })
  expect(added).toMatchObject({ status: 201, json: { name: one, hasPassword: true, conversations: 0 } })
  expect(await ask('POST', USERS, { name: other })).toMatchObject({ status: 201, json: { hasPassword: false } })
  expect(await ask('POST', USERS, { name: one })).toMatchObject({ status: 409, json: { code: 'exists' } })
  expect(await ask('POST', USERS, { name: ' x' })).toMatchObject({ status: 422, json: { code: 'rejected' } })
  const { items } = (await ask('GET', USERS)).json
  expect(items.find((user: { name: string }) => user.name === one)).toEqual(added.json)

  const signIn = (password: string) =>
    send(served.url, { method: 'POST', path: '/api/v1/auth/login', body: { name: one, password } })
  const signedIn = await signIn('a first password')
  expect(signedIn.status).toBe(200)
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  const browser = () => send(served.url, { path: '/api/v1/auth/me', headers: { cookie } })
  expect((await browser()).status).toBe(200)
  expect((await ask('PUT', at(one, '/password'), { password: 'another' })).status).toBe(204)
  expect((await browser()).status).toBe(401)
  expect([(await signIn('a first password')).status, (await signIn('another')).status]).toEqual([401, 200])
  const audit = await ask('GET', `/api/v1/audit?user=${encodeURIComponent(owner.name)}`)
  expect(audit.json.items[0]).toMatchObject({ user: owner.name, action: 'user-password', detail: one })

  const made = await ask('POST', '/api/v1/tokens', {
    user: one,
    label: '',
    scopes: ['read'],
    expiresAt: Date.now() + 9e5,
  })
  expect(made).toMatchObject({ status: 201, json: { key: { user: { name: one }, scopes: ['read'] } } })
  const { token } = made.json
  const client = await Client.open({ url: `${served.url.replace('http', 'ws')}/ws` }, { secret: token })
  expect((await ask('DELETE', at(one))).status).toBe(204)
  expect(await client.ended()).toBe(4001)
  expect((await ask('DELETE', at(one))).status).toBe(404)
  const me = { path: '/api/v1/auth/me', headers: { authorization: `Bearer ${token}` } }
  expect((await send(served.url, me)).status).toBe(401)
  expect(await ask('DELETE', at(owner.name))).toMatchObject({ status: 422, json: { code: 'rejected' } })
})

test('the owner has the keys of others by name', async () => {
  const ask = await ownerWith(['admin'])
  const someone = await served.join(['read'])
  const { id, person } = someone.key
  const query = `user=${encodeURIComponent(person.name)}`
  expect((await ask('GET', `/api/v1/tokens?${query}`)).json.items).toMatchObject([{ id, user: { name: person.name } }])
  // Without a name it is about one's own.
  expect((await ask('DELETE', `/api/v1/tokens/${id}`)).status).toBe(404)
  expect((await ask('DELETE', `/api/v1/tokens/${id}?${query}`)).status).toBe(204)
  expect((await someone.ask('GET', '/api/v1/auth/me')).status).toBe(401)
})

test('nobody else does: neither who is admin of their own part, nor a lesser key of the owner', async () => {
  const admin = await served.join(['admin'])
  const lesser = await ownerWith(['read', 'write', 'run'])
  const query = `user=${encodeURIComponent(owner.name)}`
  const wishes: [string, string, unknown?][] = [
    ['GET', USERS],
    ['POST', USERS, { name: name('made') }],
    ['PUT', at(owner.name, '/password'), { password: 'mine now' }],
    ['PUT', at('nobody at all', '/password'), { password: 'mine now' }],
    ['DELETE', at(owner.name)],
    ['DELETE', at('nobody at all')],
    ['GET', `/api/v1/tokens?${query}`],
    ['GET', '/api/v1/tokens?user=nobody'],
    ['GET', '/api/v1/audit'],
    ['GET', `/api/v1/audit?${query}`],
    ['POST', '/api/v1/tokens', { user: owner.name, label: 'mine', scopes: ['read'] }],
    ['DELETE', `/api/v1/tokens/${admin.key.id}?${query}`],
  ]
  for (const wish of wishes) {
    for (const ask of [admin.ask, lesser]) {
      expect(await ask(...wish), `${wish}`).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    }
  }
  expect((await served.history.access.findPerson(owner.name))?.passwordHash).toBeUndefined()
})
