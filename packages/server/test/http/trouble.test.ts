import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createThrottle } from '../../src/access/throttle.ts'
import { send as sendReply } from '../../src/http/send.ts'
import { type Served, send, serve, workshop } from './serve.ts'

let served: Served
const importing: { path: string; isThere?: boolean }[] = []
beforeAll(async () => {
  served = await serve({
    workshop: {
      ...workshop,
      // Reads on for a moment when it is told to stop, as whoever is in the middle of something does.
      async importUpload(_own, { path }, onProgress, signal) {
        const work: (typeof importing)[number] = { path }
        importing.push(work)
        const telling = setInterval(() => onProgress({ bytes: 1, total: 2, sessions: 0, messages: 0 }), 20)
        if (!signal.aborted) await once(signal, 'abort')
        await new Promise((resolve) => setTimeout(resolve, 500))
        clearInterval(telling)
        work.isThere = existsSync(path)
        return { added: 0, grown: 0, same: 0, messages: 0, problems: [] }
      },
    },
  })
})
afterAll(() => served.server.close())

async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !isSo(); ) {
    if (Date.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A request whose body is still being sent. */
function begin(path: string, token: string) {
  const request = httpRequest(new URL(path, served.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  })
  const seen: { status?: number | undefined; isOver: boolean } = { isOver: false }
  request.on('error', () => undefined)
  request.on('response', (response: IncomingMessage) => {
    seen.status = response.statusCode
    response.on('error', () => undefined).resume()
  })
  request.on('close', () => {
    seen.isOver = true
  })
  return { request, seen }
}

test('a key that ends in the middle of an upload stores nothing', async () => {
  const me = await served.join()
  const { json: made } = await me.ask('POST', '/api/v1/tokens', { label: 'upload', scopes: ['write'] })
  const { request, seen } = begin('/api/v1/blobs', made.token)
  request.write('the first half')
  // It was let in by then: its key is known to have been used.
  let keys: { id: string; lastUsedAt?: number }[] = []
  const look = async () => {
    keys = (await me.ask('GET', '/api/v1/tokens')).json.items
  }
  await look()
  for (let tries = 0; tries < 200 && !keys.find(({ id }) => id === made.key.id)?.lastUsedAt; tries++) await look()
  expect((await me.ask('DELETE', `/api/v1/tokens/${made.key.id}`)).status).toBe(204)
  await until(() => seen.isOver)
  expect(seen.status === undefined || seen.status === 401).toBe(true)
  expect((await me.ask('GET', '/api/v1/usage')).json.bytes).toBe(0)
})

test('an import whose client has left keeps its file until it has really stopped', async () => {
  const me = await served.join()
  const { request, seen } = begin('/api/v1/import', me.token)
  request.end('something')
  await until(() => seen.status === 200)
  request.destroy()
  await until(() => importing[0]?.isThere !== undefined)
  expect(importing[0]?.isThere).toBe(true)
  await until(() => !existsSync(importing[0]?.path ?? ''))
})

test('who is not signed in may send little', async () => {
  const body = JSON.stringify({ name: 'x', password: 'y', more: 'z'.repeat(100_000) })
  const answer = await send(served.url, { method: 'POST', path: '/api/v1/auth/login', body })
  expect([answer.status, answer.json.code]).toEqual([413, 'too-large'])
})

test('numbers that came through a proxy need a key, whatever the proxy was told of who asks', async () => {
  expect((await send(served.url, { path: '/metrics' })).status).toBe(200)
  for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }, { via: '1.1 front' }]) {
    expect((await send(served.url, { path: '/metrics', headers })).status).toBe(401)
  }
  const me = await served.join(['read'])
  expect((await me.ask('GET', '/metrics', undefined, { via: '1.1 front' })).status).toBe(200)
})

test('who has a whole network of addresses has no more attempts than others', async () => {
  const { history } = served
  const throttle = createThrottle(history.access, { attemptsPerMinute: 2 } as never)
  await throttle.signIn('2001:db8:1:2::1')
  await throttle.signIn('2001:db8:1:2:ffff::2')
  await expect(throttle.signIn('2001:db8:1:2:0:0:0:3')).rejects.toMatchObject({ problem: { code: 'too-many' } })
  await throttle.signIn('2001:db8:1:3::1')
  for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2']) await throttle.signIn(address)
})

test('a client that does not take its answer is not waited for without end', async () => {
  const big = 'x'.repeat(16 * 1024 * 1024)
  const pieces = async function* () {
    for (let n = 0; n < 4; n++) yield big
  }
  const ends: string[] = []
  const server = createServer((request, response) => {
    const content = request.url === '/whole' ? big : pieces()
    response.on('close', () => ends.push(request.url ?? ''))
    sendReply(request, response, { status: 200, content, type: 'text/plain' }, 200).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients = ['/whole', '/pieces'].map((path) => {
    const client = connect(port, '127.0.0.1', () => client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`))
    client.on('error', () => undefined)
    return client.pause()
  })
  await until(() => ends.length === 2)
  for (const client of clients) client.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('a client that was refused and does not hang up cannot keep the server from stopping', async () => {
  const other = await serve()
  const client = connect({ port: other.port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => undefined)
  client.write(
    `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${other.port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  client.resume()
  await once(client, 'end')
  await other.server.close()
  client.destroy()
})
