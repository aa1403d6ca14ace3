import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNodeTransport, createProvider } from '../src/index.ts'
import { findProxy } from '../src/proxy.ts'
import { joinUrl } from '../src/vendor/vendor.ts'
import { ask, failureOf, fakeTimers, finishOf, KEY, last, run, serve, until, user, VENDORS } from './support.ts'

async function listen<S extends Server | SocketServer>(server: S): Promise<{ server: S; port: number }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

test('a base URL may be given with or without its version', () => {
  const join = (base: string) => joinUrl(base, '/messages').href
  expect(join('https://a.example')).toBe('https://a.example/v1/messages')
  expect(join('https://a.example/')).toBe('https://a.example/v1/messages')
  expect(join('https://a.example/v1')).toBe('https://a.example/v1/messages')
  expect(join('https://a.example/v1/')).toBe('https://a.example/v1/messages')
  expect(join('https://a.example/api')).toBe('https://a.example/api/v1/messages')
  expect(join('https://a.example/v1beta/openai')).toBe('https://a.example/v1beta/openai/messages')
})

test.each(VENDORS)('%s: what is sent: key, version, own headers, nothing compressed', async (vendor) => {
  const { model, provider } = await serve({ script: () => ({ reply: [{ text: 'ok' }] }), key: KEY })
  await run(provider(vendor, { baseUrl: `${model.url}/v1/`, headers: { 'X-Team': 'maru' } }))
  expect(model.problems).toEqual([])
  const sent = model.requests[0]?.headers ?? {}
  expect(sent).toMatchObject({ 'x-team': 'maru', 'accept-encoding': 'identity', accept: 'text/event-stream' })
  expect(sent['transfer-encoding']).toBeUndefined()
})

test('one connection serves one request after another', async () => {
  const { model } = await serve({ script: () => ({ reply: [{ text: 'ok' }] }) })
  let connections = 0
  const { port } = await listen(
    createSocketServer((socket) => {
      connections += 1
      const upstream = connect(Number(new URL(model.url).port), '127.0.0.1')
      socket.pipe(upstream).pipe(socket)
      socket.on('close', () => upstream.destroy())
      upstream.on('close', () => socket.destroy())
    }),
  )
  const maru = createProvider({ vendor: 'anthropic', key: KEY, baseUrl: `http://127.0.0.1:${port}` })
  for (const _ of [1, 2, 3]) {
    finishOf(await run(maru))
    // The last bytes of a body come after its last event.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(connections).toBe(1)
})

test('a kept connection that the server has closed is replaced without a word', async () => {
  let served = 0
  const { server, port } = await listen(
    createServer((incoming, response) => {
      incoming.resume()
      served += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    }),
  )
  const maru = createProvider({ vendor: 'openai-chat', key: '', baseUrl: `http://127.0.0.1:${port}` })
  finishOf(await run(maru))
  await new Promise((resolve) => setImmediate(resolve))
  ;(server as Server).closeIdleConnections()
  const events = await run(maru)
  expect([finishOf(events).stop, served, events.filter((event) => event.type === 'retry')]).toEqual(['end', 2, []])
})

test('an answer that is cut off on a kept connection is not asked for again behind our back', async () => {
  const { model, provider } = await serve({
    script: [
      { reply: [{ text: 'first' }] },
      { reply: [{ text: 'second '.repeat(100) }], fault: { afterBytes: 900, kind: 'reset' } },
    ],
  })
  const maru = provider('anthropic', {})
  finishOf(await run(maru))
  await new Promise((resolve) => setImmediate(resolve))
  expect(failureOf(await run(maru)).failure.code).toBe('cut')
  await new Promise((resolve) => setImmediate(resolve))
  expect([model.requests.length, model.problems]).toEqual([2, []])
})

test('a redirect is refused, and nothing goes to where it points', async () => {
  let visits = 0
  const { port } = await listen(createServer(() => (visits += 1)))
  const raw = { status: 307, headers: { location: `http://127.0.0.1:${port}/v1/messages?k=${KEY}` }, body: '' }
  const { model, provider } = await serve({ script: () => ({ raw }) })
  const { failure } = failureOf(await run(provider('anthropic')))
  expect(failure).toEqual({
    code: 'refused',
    status: 307,
    message: `${new URL(model.url).host} sent a redirect to 127.0.0.1:${port} (HTTP 307); a key is never sent after one: set ANTHROPIC_BASE_URL to the final address`,
  })
  expect([visits, model.requests.length]).toEqual([0, 1])
})

describe('the key is in no message and no trace', () => {
  test.each(VENDORS)('%s', async (vendor) => {
    const { provider } = await serve({
      script: (request) =>
        request.view.texts.includes('stream')
          ? {
              raw: {
                status: 200,
                headers: { 'content-type': 'text/event-stream' },
                body: Buffer.from(`event: odd\ndata: {"type":"odd ${KEY}"}\n\ndata: ${KEY}\n\n`),
              },
            }
          : { error: { status: 401, message: `Incorrect API key provided: ${KEY}` } },
    })
    const maru = provider(vendor, { limits: { retries: 0 }, headers: { 'x-extra': 'another-secret' } })
    const refused = await run(maru)
    const odd = await run(maru, ask({ messages: [user('stream')] }))
    expect(odd.some((event) => event.type === 'trace')).toBe(true)
    expect(JSON.stringify([refused, odd])).not.toContain(KEY)
    const { message } = failureOf(refused).failure
    expect(message).toMatch(/^127\.0\.0\.1:\d+ refused the key \(HTTP 401\): check (ANTHROPIC|OPENAI)_API_KEY/)
  })

  test('not even a key that cannot be sent', async () => {
    const { provider } = await serve({ script: [] })
    const key = 'sk-broken\nkey-한글'
    const { failure } = failureOf(await run(provider('anthropic', { key })))
    expect(failure.code).toBe('refused')
    expect(failure.message).not.toContain('sk-broken')
  })
})

describe('an abort is the end at once, wherever it comes', () => {
  const aborted = { type: 'failure', failure: { code: 'aborted' } }

  test('before the request', async () => {
    const { model, provider } = await serve({ script: [] })
    expect(await run(provider('openai'), ask(), AbortSignal.abort())).toMatchObject([aborted])
    expect(model.requests).toEqual([])
  })

  test('while the connection is made', async () => {
    const controller = new AbortController()
    const transport = () => new Promise<never>(() => setImmediate(() => controller.abort()))
    const maru = createProvider({ vendor: 'openai', key: KEY, transport })
    expect(await run(maru, ask(), controller.signal)).toMatchObject([aborted])
  })

  test('while the head is awaited, and the socket is destroyed', async () => {
    const controller = new AbortController()
    const { server, port } = await listen(createServer(() => undefined))
    const closed = new Promise((resolve) =>
      server.once('connection', (socket: Socket) => socket.once('close', resolve)),
    )
    server.once('request', () => controller.abort())
    const maru = createProvider({ vendor: 'anthropic', key: KEY, baseUrl: `http://127.0.0.1:${port}` })
    expect(await run(maru, ask(), controller.signal)).toMatchObject([aborted])
    await closed
  })

  test('in the stream, where what was said is kept and the socket is destroyed', async () => {
    const controller = new AbortController()
    let isClosed = false
    const { port } = await listen(
      createServer((_, response) => {
        response.once('close', () => {
          isClosed = true
        })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n')
      }),
    )
    const maru = createProvider({ vendor: 'openai-chat', key: KEY, baseUrl: `http://127.0.0.1:${port}` })
    const events = []
    for await (const event of maru.stream(ask(), controller.signal)) {
      events.push(event)
      if (event.type === 'text-delta') controller.abort()
    }
    expect(last(events)).toMatchObject({ ...aborted, parts: [{ type: 'text', text: 'half' }] })
    await until(() => isClosed)
  })

  test('in the wait before another try', async () => {
    const controller = new AbortController()
    const { model, provider } = await serve({ script: () => ({ error: { status: 500 } }) })
    const timers = fakeTimers()
    const events = []
    for await (const event of provider('anthropic', { timers }).stream(ask(), controller.signal)) {
      events.push(event)
      if (event.type === 'retry') setImmediate(() => controller.abort())
    }
    expect(events).toMatchObject([{ type: 'retry' }, aborted])
    expect([model.requests.length, timers.waits.filter((ms) => ms < 10_000)]).toEqual([1, []])
  })

  test('a reader that leaves takes the connection with it', async () => {
    let isClosed = false
    const { port } = await listen(
      createServer((_, response) => {
        response.once('close', () => {
          isClosed = true
        })
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n')
      }),
    )
    const maru = createProvider({ vendor: 'openai-chat', key: KEY, baseUrl: `http://127.0.0.1:${port}` })
    for await (const _ of maru.stream(ask(), new AbortController().signal)) break
    await until(() => isClosed)
  })
})

test('a connection that does not come to stand is given up', async () => {
  const timers = fakeTimers()
  // A server whose queue is never served: the handshake of the tunnel does not end.
  const transport = createNodeTransport({ env: {}, timers, connectMs: 5_000 })
  const { port } = await listen(createSocketServer(() => undefined))
  const sending = transport(
    { url: `https://127.0.0.1:${port}/`, headers: {}, body: '{}' },
    new AbortController().signal,
  )
  await until(() => timers.waits.includes(5_000))
  setImmediate(() => timers.advance(5_000))
  await expect(sending).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

describe('proxies', () => {
  const env = {
    HTTP_PROXY: 'http://proxy.test:3128',
    https_proxy: 'proxy.test:3129',
    NO_PROXY: 'in.test, .corp:8443,x.test',
  }
  test.each([
    ['http://a.test/', 'http://proxy.test:3128/'],
    ['https://a.test/', 'http://proxy.test:3129/'],
    ['https://in.test/', undefined],
    ['https://deep.in.test/', undefined],
    ['https://notin.test/', 'http://proxy.test:3129/'],
    ['https://a.corp:8443/', undefined],
    ['https://a.corp/', 'http://proxy.test:3129/'],
    ['http://localhost:11434/', undefined],
    ['http://127.0.0.1:1/', undefined],
    ['http://[::1]:1/', undefined],
  ])('%s goes by %s', (url, proxy) => {
    expect(findProxy(new URL(url), env)?.href).toBe(proxy)
  })

  test('plain requests go to the proxy with their whole address and who asks', async () => {
    const { model } = await serve({ script: () => ({ reply: [{ text: 'through' }] }) })
    const seen: unknown[] = []
    const { port } = await listen(
      createServer((incoming, response) => {
        const { url = '', headers } = incoming
        seen.push([url, headers.host, headers['proxy-authorization']])
        const onward = httpRequest(`${model.url}${new URL(url).pathname}`, { method: 'POST', headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        })
        incoming.pipe(onward)
      }),
    )
    const transport = createNodeTransport({ env: { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${port}` } })
    const maru = createProvider({ vendor: 'openai', key: KEY, baseUrl: 'http://model.test:8080', transport })
    expect(finishOf(await run(maru)).parts).toEqual([{ type: 'text', text: 'through' }])
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(seen).toEqual([['http://model.test:8080/v1/responses', 'model.test:8080', basic]])
  })

  test('secure requests go through a tunnel, in which TLS begins', async () => {
    const hello = new Promise<Buffer>((resolve) => {
      void listen(createServer()).then(({ server, port }) => {
        server.on('connect', (incoming, socket: Socket) => {
          expect(incoming.url).toBe('model.test:443')
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          socket.once('data', (bytes) => {
            resolve(bytes)
            socket.destroy()
          })
        })
        const transport = createNodeTransport({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } })
        const options = {
          vendor: 'anthropic',
          key: KEY,
          baseUrl: 'https://model.test',
          limits: { retries: 0 },
        } as const
        void run(createProvider({ ...options, transport })).then((events) => {
          expect(failureOf(events).failure.code).toBe('network')
        })
      })
    })
    const bytes = await hello
    // A handshake record that names the host; the key is nowhere in the clear.
    expect([bytes[0], bytes.includes('model.test'), bytes.includes(KEY)]).toEqual([22, true, false])
  })

  test('a proxy that refuses, and one that cannot be used, are named', async () => {
    const { server, port } = await listen(createServer())
    server.on('connect', (_, socket: Socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
    const failing = async (proxy: string) => {
      const transport = createNodeTransport({ env: { HTTPS_PROXY: proxy } })
      const options = { vendor: 'anthropic', key: KEY, baseUrl: 'https://model.test', limits: { retries: 0 } } as const
      return failureOf(await run(createProvider({ ...options, transport }))).failure
    }
    expect(await failing(`http://127.0.0.1:${port}`)).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`the proxy 127.0.0.1:${port} answered 407`),
    })
    expect(await failing('socks5://127.0.0.1:1')).toMatchObject({
      code: 'refused',
      message: 'HTTPS_PROXY names a socks5:// proxy; only http:// is there',
    })
  })
})
