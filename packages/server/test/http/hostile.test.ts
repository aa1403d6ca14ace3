import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, type Served, type Someone, send, sendRaw, serve } from './serve.ts'

let served: Served
let me: Someone
let id: string
beforeAll(async () => {
  served = await serve({ limits: { body: 200_000, upload: 300_000 } })
  me = await served.join()
  id = (await me.ask('POST', '/api/v1/conversations', { title: 'target', initialMessage: 'hello' })).json.id
})
afterAll(() => served.server.close())

function expectProblem({ status, headers, json }: Answered, wanted: { status: number; code: string }): void {
  expect({ status, code: json.code }).toEqual(wanted)
  expect(headers['content-type']).toBe('application/problem+json')
  expect(json).toMatchObject({ status, title: expect.any(String) })
}

describe('bodies', () => {
  const path = () => `/api/v1/conversations/${id}/messages`
  const message = { clientId: 'c', role: 'user', content: 'x' }

  test('what is no JSON, or too deep, is refused', async () => {
    for (const body of [
      '',
      '{',
      '[1,]',
      'nope',
      '\ufeff{',
      `${'['.repeat(200)}${']'.repeat(200)}`,
      `{"a":${'['.repeat(99_000)}`,
    ]) {
      expectProblem(await me.ask('POST', path(), body), { status: 400, code: 'bad-json' })
    }
    const latin = Buffer.from('7b22636c69656e744964223a22ff227d', 'hex')
    expectProblem(await me.ask('POST', path(), latin), { status: 400, code: 'bad-json' })
  })

  test('what does not fit says where', async () => {
    const wrong: [unknown, string][] = [
      [{}, 'clientId'],
      [[], ''],
      [null, ''],
      [{ ...message, role: 'root' }, 'role'],
      [{ ...message, content: 5 }, 'content'],
      [{ ...message, tokens: 1e300 }, 'tokens'],
      [{ ...message, tokens: -1 }, 'tokens'],
      [{ ...message, clientId: 'x'.repeat(129) }, 'clientId'],
    ]
    for (const [body, at] of wrong) {
      const answer = await me.ask('POST', path(), body)
      expectProblem(answer, { status: 422, code: 'bad-body' })
      expect(answer.json.at).toBe(at)
    }
  })

  test('the wrong type, a compressed body and a long one are refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=latin1',
    ]) {
      const answer = await me.ask('POST', path(), JSON.stringify(message), { 'content-type': type })
      expectProblem(answer, { status: 415, code: 'wrong-type' })
    }
    const packed = await me.ask('POST', path(), JSON.stringify(message), { 'content-encoding': 'gzip' })
    expectProblem(packed, { status: 415, code: 'wrong-type' })
    const long = await me.ask('POST', path(), { ...message, content: 'x'.repeat(300_000) })
    expectProblem(long, { status: 413, code: 'too-large' })
    const chunked = await me.ask('POST', '/api/v1/blobs', Buffer.alloc(400_000), { 'content-type': 'image/png' })
    expectProblem(chunked, { status: 413, code: 'too-large' })
  })

  test('odd letters everywhere are stored or refused, and the server goes on', async () => {
    const odd = 'a\u0000b\ud800\uffff\u202e'
    const patch = { title: odd, description: odd, tags: [odd], project: odd }
    expect((await me.ask('PATCH', `/api/v1/conversations/${id}`, patch)).status).toBe(200)
    expect(
      (await me.ask('POST', path(), { ...message, clientId: odd, content: odd, metadata: { [odd]: odd } })).status,
    ).toBe(201)
    expect(
      (await me.ask('POST', path(), { ...message, clientId: '__proto__', metadata: JSON.parse('{"__proto__":1}') }))
        .status,
    ).toBe(201)
    for (const query of [
      'q=%00',
      'project=%00',
      'tag=%ff%fe',
      'service=%ed%a0%80',
      'cursor=%00',
      'limit=1e9',
      'limit=-1',
      'sort=id',
    ]) {
      expect((await me.ask('GET', `/api/v1/conversations?${query}`)).status).toBeLessThan(500)
      expect((await me.ask('GET', `/api/v1/search?q=x&${query}`)).status).toBeLessThan(500)
    }
    expect((await me.ask('GET', `/api/v1/conversations/${id}`)).status).toBe(200)
  })
})

describe('addresses', () => {
  test('names that cannot be are as missing as any other', async () => {
    for (const name of [
      '%00',
      'x'.repeat(500),
      '%F0%9F%98%80',
      '..%2f..',
      "'; drop table maru.fact; --",
      '%0d%0aset-cookie:x',
    ]) {
      expectProblem(await me.ask('GET', `/api/v1/conversations/${encodeURI(name).replaceAll('%25', '%')}`), {
        ...{ status: 404, code: 'not-found' },
      })
    }
    for (const seq of ['0', '-1', '1.5', '99999999999999999999', 'abc', '1e3']) {
      const answer = await me.ask('DELETE', `/api/v1/conversations/${id}/messages/${seq}`)
      expectProblem(answer, { status: 404, code: 'not-found' })
    }
    expectProblem(await me.ask('GET', '/nowhere'), { status: 404, code: 'not-found' })
  })

  test('what cannot be decoded is refused', async () => {
    for (const path of ['/api/v1/conversations/%', '/api/v1/conversations/%ff', '/%c0%af', `/${'x'.repeat(9_000)}`]) {
      expectProblem(await me.ask('GET', path), { status: 400, code: 'bad-request' })
    }
    const twice = await me.ask('GET', '/api/v1/conversations?limit=1&limit=2')
    expectProblem(twice, { status: 400, code: 'bad-query' })
    expect(twice.json.at).toBe('limit')
  })

  test('places in lists that nobody gave are refused', async () => {
    for (const cursor of ['x', 'last_at.1', 'created_at.1.1', "last_at.1.1'", '0'.repeat(300)]) {
      const answer = await me.ask('GET', `/api/v1/conversations?cursor=${encodeURIComponent(cursor)}`)
      expectProblem(answer, { status: 400, code: 'bad-query' })
      expect(answer.json.at).toBe('cursor')
    }
    const far = 'last_at.999999999999999.999999999999999'
    expect([200, 400]).toContain((await me.ask('GET', `/api/v1/conversations?cursor=${far}`)).status)
    expect((await me.ask('GET', '/api/v1/search?q=x&cursor=1.1.9999999999')).status).toBe(400)
    expect((await me.ask('GET', `/api/v1/conversations/${id}/messages?cursor=b.9999999999`)).status).toBe(200)
  })

  test('another method says which there are', async () => {
    const answer = await me.ask('PUT', '/api/v1/conversations', {})
    expectProblem(answer, { status: 405, code: 'method-not-allowed' })
    expect(answer.headers.allow).toBe('GET, POST, HEAD, OPTIONS')
    const head = await me.ask('HEAD', '/api/v1/conversations')
    expect(head).toMatchObject({ status: 200, text: '' })
  })
})

describe('connections', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nhost\x00: x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['long headers', `GET / HTTP/1.1\r\nhost: HOST\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: HOST\r\nhost: evil.example\r\nconnection: close\r\n\r\n', 403],
    [
      'another host in the address',
      'GET http://evil.example/healthz HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n',
      400,
    ],
    [
      'an upgrade to nowhere',
      'GET /other HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      404,
    ],
    [
      'an upgrade without a key',
      'GET /ws HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      401,
    ],
  ])('%s is answered and closed', async (_name, bytes, status) => {
    const answer = await sendRaw(served.port, bytes.replaceAll('HOST', `127.0.0.1:${served.port}`))
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect((await send(served.url, { path: '/healthz' })).status).toBe(200)
  })

  test('a client that leaves in the middle of a body, or of an answer, harms nobody', async () => {
    const head = `POST /api/v1/blobs HTTP/1.1\r\nhost: 127.0.0.1:${served.port}\r\nauthorization: Bearer ${me.token}\r\n`
    for (let n = 0; n < 5; n++) {
      await new Promise<void>((resolve) => {
        const socket = connect(served.port, '127.0.0.1', () => {
          socket.write(`${head}content-length: 1000\r\n\r\nabc`, () => socket.destroy())
        })
        socket.on('close', () => resolve())
      })
    }
    expect((await me.ask('GET', '/api/v1/usage')).status).toBe(200)
  })
})

describe('the operator', () => {
  test('is told of each request by its route, with nothing of what it carried', async () => {
    const secret = `hidden${process.hrtime.bigint()}`
    const before = served.log.length
    await me.ask('GET', `/api/v1/conversations/${secret}?q=${secret}`, undefined, { 'x-thing': secret })
    await me.ask('POST', '/api/v1/conversations', { title: secret })
    await expect.poll(() => served.log.length).toBeGreaterThanOrEqual(before + 2)
    const entries = served.log.slice(before)
    expect(entries[0]).toMatchObject({
      ...{ level: 'info', event: 'request', method: 'GET', route: '/api/v1/conversations/:id', status: 404 },
      ...{ user: me.key.person.id, ms: expect.any(Number) },
    })
    const told = JSON.stringify(served.log)
    expect(told).not.toContain(secret)
    expect(told).not.toContain(me.token)
  })

  test('sees numbers, and whether the database answers', async () => {
    expect(await send(served.url, { path: '/healthz' })).toMatchObject({
      status: 200,
      json: { status: 'ok', version: '1.2.3' },
    })
    expect(await send(served.url, { path: '/readyz' })).toMatchObject({ status: 200, json: { status: 'ok' } })
    const { status, headers, text } = await send(served.url, { path: '/metrics' })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toMatch(/^maru_requests_total\{method="GET",route="\/healthz",status="200"\} \d+$/m)
    expect(text).toMatch(/^maru_request_seconds_bucket\{route="\/healthz",le="\+Inf"\} \d+$/m)
    expect(text).toMatch(/^maru_database_up 1$/m)
    expect(text).toMatch(/^maru_memory_bytes \d+$/m)
    // Also before the first of them: an alarm needs something to look at.
    expect(text).toMatch(/^maru_sockets 0$/m)
    expect(text).toMatch(/^maru_agents_running 0$/m)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)*\})? -?[\d.e+-]+)$/)
    }
  })

  test('a server that is closed finishes what it has begun, and may be closed twice', async () => {
    const short = await serve()
    const someone = await short.join()
    const under = someone.ask('POST', '/api/v1/conversations', { title: 'last words' })
    await expect.poll(() => short.log.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await Promise.all([short.server.close(), short.server.close()])
    expect((await under).status).toBe(201)
    await expect(send(short.url, { path: '/healthz' })).rejects.toThrow()
  })
})
