import { corpus } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hashPassword } from '../../src/access/password.ts'
import { type Answered, type Served, type Someone, send, sendRaw, serve } from './serve.ts'

const APP = 'https://app.example.com'
let served: Served
let me: Someone
beforeAll(async () => {
  served = await serve({ allowedOrigins: [APP], allowedHosts: ['maru.example.com:4096', '[::1]:4096'] })
  me = await served.join()
})
afterAll(() => served.server.close())

const LIST = '/api/v1/conversations'

function cookieOf({ headers }: Answered): string {
  return String(headers['set-cookie']?.[0]).split(';')[0] ?? ''
}

async function signInByLink(): Promise<{ cookie: string; csrf: string; answer: Answered }> {
  const link = await served.server.makeLink()
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  const answer = await send(served.url, { method: 'POST', path: '/api/v1/auth/link', body: { token } })
  expect(answer.status).toBe(200)
  return { answer, cookie: cookieOf(answer), csrf: answer.json.csrf }
}

/** Whether an upgrade is let in. */
async function upgrade(headers: { [name: string]: string }): Promise<number> {
  const lines = Object.entries({
    host: `127.0.0.1:${served.port}`,
    authorization: `Bearer ${me.token}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // A close frame behind the handshake, so that a connection that was let in ends as well.
  const bytes = Buffer.concat([
    Buffer.from(`GET /ws HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from([0x88, 0x80, 0, 0, 0, 0]),
  ])
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await sendRaw(served.port, bytes))?.[1])
}

async function ask(headers: { [name: string]: string }): Promise<number> {
  const all = { host: `127.0.0.1:${served.port}`, authorization: `Bearer ${me.token}`, connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Number(
    /^HTTP\/1\.1 (\d+)/.exec(await sendRaw(served.port, `GET ${LIST} HTTP/1.1\r\n${lines.join('')}\r\n`))?.[1],
  )
}

describe('origins and hosts', () => {
  interface Row {
    id: string
    origin?: string
    host?: string
    expect: 'accept' | 'reject' | 'accept-if-configured' | 'accept-or-reject'
  }
  const own: Row[] = [
    { id: 'own origin', origin: 'OWN', expect: 'accept' },
    { id: 'configured', origin: APP, expect: 'accept' },
    { id: 'another port', origin: `${APP}:8443`, expect: 'reject' },
    { id: 'another scheme', origin: 'http://app.example.com', expect: 'reject' },
    { id: 'longer', origin: `${APP}.evil.example`, expect: 'reject' },
    { id: 'before', origin: 'https://evil-app.example.com', expect: 'reject' },
    { id: 'path', origin: `${APP}/`, expect: 'reject' },
    { id: 'user', origin: 'https://app.example.com@evil.example', expect: 'reject' },
    { id: 'null', origin: 'null', expect: 'reject' },
    { id: 'empty', origin: '', expect: 'reject' },
    { id: 'two', origin: `${APP} https://evil.example`, expect: 'reject' },
    { id: 'Cyrillic', origin: 'https://аpp.example.com', expect: 'reject' },
    { id: 'loopback elsewhere', origin: 'http://localhost:1', expect: 'reject' },
    { id: 'rebound', host: 'evil.example', expect: 'reject' },
    { id: 'rebound, our port', host: 'evil.example:OWN', expect: 'reject' },
    { id: 'localhost', host: 'localhost:OWN', expect: 'accept' },
    { id: 'loopback of the other kind', host: '[::1]:OWN', expect: 'accept' },
    { id: 'no port', host: 'localhost', expect: 'reject' },
    { id: 'configured host', host: 'maru.example.com:4096', expect: 'accept' },
    { id: 'configured host, no port', host: 'maru.example.com', expect: 'reject' },
    { id: 'longer host', host: 'maru.example.com.evil.example:4096', expect: 'reject' },
    { id: 'user in the host', host: 'localhost@evil.example', expect: 'reject' },
    { id: 'dot', host: 'localhost.:OWN', expect: 'reject' },
  ]
  const rows = [...own, ...(corpus<Row>('web/origins.jsonl') ?? [])]

  test.each(rows)('$id: origin $origin, host $host: $expect', async ({ origin, host, expect: wanted }) => {
    const headers = {
      ...(origin !== undefined && { origin: origin === 'OWN' ? served.url : origin }),
      ...(host !== undefined && { host: host.replace('OWN', String(served.port)) }),
    }
    const [http, socket] = [await ask(headers), await upgrade(headers)]
    // The host of the corpus is configured above.
    if (wanted === 'accept' || wanted === 'accept-if-configured') expect([http, socket]).toEqual([200, 101])
    else if (wanted === 'reject') expect([http, socket]).toEqual([403, 403])
    else expect(['200 101', '403 403']).toContain(`${http} ${socket}`)
  })

  test('a host that is not configured is refused', async () => {
    const plain = await serve()
    const answer = await send(plain.url, { path: '/healthz', headers: { host: '[::1]:4096' } })
    expect(answer).toMatchObject({ status: 403, json: { code: 'host-refused' } })
    await plain.server.close()
  })

  test('only a configured page may read answers, and is told so beforehand', async () => {
    const asked = { origin: APP, 'access-control-request-method': 'PATCH' }
    const before = await send(served.url, { method: 'OPTIONS', path: `${LIST}/x`, headers: asked })
    expect(before.status).toBe(204)
    expect(before.headers['access-control-allow-origin']).toBe(APP)
    expect(before.headers['access-control-allow-methods']).toContain('PATCH')
    const mayAsk = String(before.headers['access-control-allow-headers']).split(', ')
    // All that a request of ours can carry.
    expect(mayAsk).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'if-match', 'range', 'x-maru-csrf', 'x-maru-door']),
    )
    const read = await send(served.url, { path: '/healthz', headers: { origin: APP } })
    expect(String(read.headers['access-control-expose-headers']).split(', ')).toEqual(
      expect.arrayContaining(['content-disposition', 'content-range', 'etag', 'location', 'retry-after']),
    )
    const foreign = await send(served.url, {
      method: 'OPTIONS',
      path: LIST,
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
    const plain = await me.ask('GET', LIST)
    expect(plain.headers['access-control-allow-origin']).toBeUndefined()
    expect(plain.headers.vary).toBe('Origin')
  })
})

describe('signing in', () => {
  test('a link is good once, and its cookie needs the header with each change', async () => {
    const link = await served.server.makeLink()
    expect(new URL(link).search + new URL(link).pathname).toBe('/')
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    const body = { token }
    const first = await send(served.url, { method: 'POST', path: '/api/v1/auth/link', body })
    expect(first.status).toBe(200)
    expect(String(first.headers['set-cookie'])).toMatch(
      /^maru_session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    const again = await send(served.url, { method: 'POST', path: '/api/v1/auth/link', body })
    expect(again).toMatchObject({ status: 401, json: { code: 'sign-in-failed' } })
    const cookie = cookieOf(first)
    const me = await send(served.url, { path: '/api/v1/auth/me', headers: { cookie } })
    expect(me.json).toEqual(first.json)
    const make = (headers: { [name: string]: string }) =>
      send(served.url, { method: 'POST', path: LIST, body: {}, headers: { cookie, ...headers } })
    expect(await make({})).toMatchObject({ status: 403, json: { code: 'csrf-missing' } })
    expect((await make({ 'x-maru-csrf': 'wrong' })).status).toBe(403)
    expect((await make({ 'x-maru-csrf': first.json.csrf })).status).toBe(201)
    expect((await make({ 'x-maru-csrf': first.json.csrf, origin: 'https://evil.example' })).status).toBe(403)
    expect((await make({ 'x-maru-csrf': first.json.csrf, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('signing out ends the cookie', async () => {
    const { cookie, csrf } = await signInByLink()
    const headers = { cookie, 'x-maru-csrf': csrf }
    const out = await send(served.url, { method: 'POST', path: '/api/v1/auth/logout', headers })
    expect(out.status).toBe(204)
    expect(String(out.headers['set-cookie'])).toMatch(/Max-Age=0/)
    expect((await send(served.url, { path: '/api/v1/auth/me', headers })).status).toBe(401)
  })

  test('a phone comes in by a code of eight digits, once', async () => {
    const { code, link } = await served.server.makePairing()
    expect(code).toMatch(/^\d{8}$/)
    expect(link).toBe(`${served.url}/#code=${code}`)
    const typed = `${code.slice(0, 4)} ${code.slice(4)}`
    const pair = (given: string) =>
      send(served.url, { method: 'POST', path: '/api/v1/auth/pair', body: { code: given } })
    expect((await pair(typed)).status).toBe(200)
    expect((await pair(code)).status).toBe(401)
  })

  test('a password is right or wrong, and both are noted', async () => {
    const { access } = served.history
    const { person } = me.key
    await access.setPassword(person.id, await hashPassword('맞는 비밀번호'))
    const login = (name: string, password: string) =>
      send(served.url, { method: 'POST', path: '/api/v1/auth/login', body: { name, password } })
    expect((await login(person.name, 'wrong')).text).toBe((await login('nobody at all', 'wrong')).text)
    const right = await login(person.name, '맞는 비밀번호')
    expect(right).toMatchObject({ status: 200, json: { user: { name: person.name } } })
    const notes = await access.audit({ owner: person.id })
    expect(notes[0]).toMatchObject({ action: 'sign-in', detail: 'password', address: '127.0.0.1' })
    expect((await access.audit()).some(({ action }) => action === 'sign-in-failed')).toBe(true)
  })

  test('behind a proxy that speaks TLS the cookie is for this very host, and only over TLS', async () => {
    const proxied = await serve({ isBehindProxy: true, allowedHosts: ['app.example.com'] })
    const token = new URL(await proxied.server.makeLink()).hash.replace('#token=', '')
    const headers = { host: 'app.example.com', 'x-forwarded-proto': 'https', 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }
    const from = { method: 'POST', path: '/api/v1/auth/link', body: { token } }
    const answer = await send(proxied.url, { ...from, headers: { ...headers, origin: APP } })
    expect(answer.status).toBe(200)
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-maru_session=.*; Secure$/)
    const [note] = await proxied.history.access.audit({ limit: 1 })
    expect(note).toMatchObject({ action: 'sign-in', address: '203.0.113.9' })
    await proxied.server.close()
  })

  test('who guesses too often has to wait', async () => {
    const strict = await serve({ limits: { attemptsPerMinute: 3 }, isBehindProxy: true })
    const guess = (address: string) =>
      send(strict.url, {
        ...{ method: 'POST', path: '/api/v1/auth/link', body: { token: 'x' } },
        headers: { 'x-forwarded-proto': 'http', 'x-forwarded-for': address },
      })
    const address = `guesser ${process.hrtime.bigint()}`
    for (let n = 0; n < 3; n++) expect((await guess(address)).status).toBe(401)
    const late = await guess(address)
    expect(late).toMatchObject({ status: 429, json: { code: 'too-many' } })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess(`${address} other`)).status).toBe(401)
    await strict.server.close()
  })
})

describe('keys', () => {
  test('a key does what its scopes say, and no more', async () => {
    const [reader, writer] = [await served.join(['read']), await served.join(['write'])]
    expect((await reader.ask('GET', LIST)).status).toBe(200)
    expect(await reader.ask('POST', LIST, {})).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    expect((await writer.ask('POST', LIST, {})).status).toBe(201)
    expect((await writer.ask('GET', LIST)).status).toBe(403)
    expect((await writer.ask('POST', '/api/v1/sessions', { repo: '/' })).status).toBe(403)
    expect((await writer.ask('POST', '/api/v1/tokens', { label: 'x', scopes: ['read'] })).status).toBe(403)
  })

  test('a token is made, used, listed and revoked; who has none, or a wrong one, is refused', async () => {
    const made = await me.ask('POST', '/api/v1/tokens', { label: 'laptop', scopes: ['read'], expiresInDays: 1 })
    expect(made.status).toBe(201)
    expect(made.json.token).toMatch(/^maru_[\w-]{43}$/)
    const use = () => send(served.url, { path: LIST, headers: { authorization: `Bearer ${made.json.token}` } })
    expect((await use()).status).toBe(200)
    const list = await me.ask('GET', '/api/v1/tokens')
    expect(list.json.items.map(({ label }: { label: string }) => label)).toContain('laptop')
    expect(list.text).not.toContain(made.json.token)
    const other = await served.join()
    expect((await other.ask('DELETE', `/api/v1/tokens/${made.json.key.id}`)).status).toBe(404)
    expect((await me.ask('DELETE', `/api/v1/tokens/${made.json.key.id}`)).status).toBe(204)
    expect(await use()).toMatchObject({ status: 401, json: { code: 'unauthorised' } })
    expect((await send(served.url, { path: LIST })).status).toBe(401)
    expect((await send(served.url, { path: LIST, headers: { authorization: 'Basic x' } })).status).toBe(401)
  })

  test('a cookie is no token, and a token no cookie', async () => {
    const { cookie } = await signInByLink()
    const secret = cookie.split('=')[1]
    expect((await send(served.url, { path: LIST, headers: { authorization: `Bearer ${secret}` } })).status).toBe(401)
    expect((await send(served.url, { path: LIST, headers: { cookie: `maru_session=${me.token}` } })).status).toBe(401)
  })

  test.each(['revoked here', 'revoked elsewhere'])('a socket closes when its key is %s', async (where) => {
    const someone = await served.join()
    const socket = new WebSocket(`${served.url.replace('http', 'ws')}/ws`, {
      headers: { authorization: `Bearer ${someone.token}` },
    })
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await new Promise((resolve) => socket.once('message', resolve))
    if (where === 'revoked here') await someone.ask('POST', '/api/v1/auth/logout')
    else await served.history.access.revokeKey(someone.key.id)
    expect(await closed).toBe(4001)
  })

  test('a socket that is not let in is told the same as a request', async () => {
    const upgrade = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${'A'.repeat(22)}==`,
    ]
    const writer = await served.join(['write'])
    const said: [string[], string][] = [
      [[], 'send "Authorization: Bearer TOKEN", or sign in on the page of the server'],
      [['authorization: Bearer nobody'], 'this key is unknown, revoked or over'],
      [[`authorization: Bearer ${writer.token}`], 'it needs the scope "read"'],
      [['origin: https://evil.example'], 'allow this origin when the server is started'],
    ]
    for (const [headers, detail] of said) {
      const lines = ['GET /ws HTTP/1.1', `host: 127.0.0.1:${served.port}`, ...upgrade, ...headers, '', '']
      const [, body = ''] = (await sendRaw(served.port, lines.join('\r\n'))).split('\r\n\r\n')
      expect(JSON.parse(body)).toMatchObject({ detail })
    }
  })

  test('no secret is taken from an address', async () => {
    for (const name of ['token', 'access_token', 'ACCESS_TOKEN', 'api_key']) {
      const answer = await send(served.url, { path: `${LIST}?${name}=${me.token}` })
      expect(answer).toMatchObject({ status: 400, json: { code: 'token-in-url' } })
      expect(answer.text).not.toContain(me.token)
    }
    const raw = await sendRaw(
      served.port,
      `GET /ws?token=${me.token} HTTP/1.1\r\nhost: 127.0.0.1:${served.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    )
    expect(raw).toMatch(/^HTTP\/1\.1 400/)
  })

  test('thirty messages a minute, or what is set', async () => {
    const strict = await serve({ limits: { messagesPerMinute: 2 } })
    const someone = await strict.join()
    const { json } = await someone.ask('POST', LIST, { initialMessage: 'one' })
    const say = (n: number) =>
      someone.ask('POST', `${LIST}/${json.id}/messages`, { clientId: `${n}`, role: 'user', content: 'x' })
    expect((await say(2)).status).toBe(201)
    const late = await say(3)
    expect(late).toMatchObject({ status: 429, json: { code: 'too-many' } })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    const input = { clientId: 'i', text: 'x' }
    expect((await someone.ask('POST', `/api/v1/sessions/${json.id}/inputs`, input)).status).toBe(429)
    expect((await someone.ask('GET', LIST)).status).toBe(200)
    await strict.server.close()
  })
})
