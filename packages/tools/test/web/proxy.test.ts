import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Environment, findExit } from '../../src/web/proxy.ts'
import { createWebFetch } from '../../src/web/web-fetch.ts'
import { createWebSearch } from '../../src/web/web-search.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { call, openRawSite, openSite } from './servers.ts'

const edges = {
  isPublic: () => true,
  resolve: async (): Promise<string[]> => {
    throw new Error('a proxy resolves names itself')
  },
}

describe('where a proxy is set', () => {
  test.each([
    [{ HTTPS_PROXY: 'http://proxy.corp:3128' }, 'https://nodejs.org/'],
    [{ http_proxy: 'proxy.corp:3128' }, 'http://nodejs.org/'],
    [{ ALL_PROXY: 'http://user:secret@proxy.corp' }, 'https://nodejs.org/'],
    [{ HTTPS_PROXY: 'socks5://user:secret@proxy.corp' }, 'https://nodejs.org/'],
    [{ HTTPS_PROXY: 'http://[secret' }, 'https://nodejs.org/'],
  ])('nothing is fetched unless it is trusted: %j', async (environment, url) => {
    const prepared = await createWebFetch({ environment }, edges).prepare({ url }, contextOf())
    expect(prepared.access).toEqual([])
    const result = await prepared.run(contextOf())
    expect(codesOf(result)).toEqual(['proxy'])
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  test('a plain page is fetched through one that is trusted, which resolves the name', async () => {
    await using proxy = await openSite((_, response) => response.end('through'))
    const environment = { HTTP_PROXY: `http://me:pass%20word@127.0.0.1:${proxy.port}` }
    const fetch = createWebFetch({ environment, proxyIsTrusted: true }, edges)
    const result = await call(fetch, { url: 'http://nodejs.org/a?b' })
    expect(result.stdout).toMatch(/\n\nthrough$/)
    expect(proxy.requests).toMatchObject([
      {
        url: 'http://nodejs.org/a?b',
        headers: {
          host: 'nodejs.org',
          'proxy-authorization': `Basic ${Buffer.from('me:pass word').toString('base64')}`,
        },
      },
    ])
    expect(JSON.stringify(result)).not.toContain('pass')
  })

  test('a secure page is asked for through a tunnel', async () => {
    let hello = ''
    await using far = await openRawSite((socket) => {
      socket.once('data', (bytes) => {
        hello = bytes.toString('latin1')
        socket.destroy()
      })
    })
    const asked: unknown[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(request.url, request.headers.host, request.headers['proxy-authorization'])
      const tunnel = connect(far.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(tunnel).pipe(socket)
      })
      for (const end of [socket, tunnel]) end.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const environment = { HTTPS_PROXY: `http://me:word@127.0.0.1:${(proxy.address() as AddressInfo).port}` }
    const fetch = createWebFetch({ environment, proxyIsTrusted: true }, edges)
    expect(codesOf(await call(fetch, { url: 'https://nodejs.org/' }))).toEqual(['unreachable'])
    const who = `Basic ${Buffer.from('me:word').toString('base64')}`
    expect(asked).toEqual(['nodejs.org:443', 'nodejs.org:443', who])
    expect(hello).toContain('nodejs.org')
    await new Promise((resolve) => proxy.close(resolve))
  })

  test('a proxy that refuses the tunnel is named as the reason', async () => {
    await using proxy = await openRawSite((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'))
    })
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
    const fetch = createWebFetch({ environment, proxyIsTrusted: true }, edges)
    const result = await call(fetch, { url: 'https://nodejs.org/' })
    expect(result.diagnostics?.[0]?.message).toBe('nodejs.org: the proxy answered 403.')
  })

  test('private addresses are refused by their spelling all the same', async () => {
    await using proxy = await openSite((_, response) => response.end('through'))
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
    const fetch = createWebFetch({ environment, proxyIsTrusted: true })
    for (const url of [
      'http://169.254.169.254/',
      'http://[::ffff:10.0.0.1]/',
      'http://localhost/',
      'http://x.internal/',
    ])
      expect(codesOf(await call(fetch, { url }))).toEqual(['refused-address'])
    expect(proxy.connections()).toBe(0)
  })

  test('the search endpoint is the user’s own and goes through it', async () => {
    await using proxy = await openSite((_, response) => response.end('{"results":[]}'))
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
    const search = createWebSearch({ endpoint: 'http://search.com/?q={query}', environment }, edges.resolve)
    expect((await call(search, { query: 'x' })).ok).toBe(true)
    expect(proxy.requests[0]?.url).toBe('http://search.com/?q=x')
  })
})

test.each<[string, Environment, string]>([
  ['https://a.com/', {}, 'direct'],
  ['https://a.com/', { HTTP_PROXY: 'p:1' }, 'direct'],
  ['http://a.com/', { HTTP_PROXY: 'p:1' }, 'proxy'],
  ['http://a.com/', { HTTP_PROXY: '' }, 'direct'],
  ['http://127.0.0.1:8/', { HTTP_PROXY: 'p:1' }, 'direct'],
  ['http://[::1]/', { HTTP_PROXY: 'p:1' }, 'direct'],
  ['http://x.localhost/', { HTTP_PROXY: 'p:1' }, 'direct'],
  ['http://127.a.com/', { HTTP_PROXY: 'p:1' }, 'proxy'],
  ['http://a.com/', { HTTP_PROXY: 'p:1', NO_PROXY: '*' }, 'direct'],
  ['http://a.com/', { HTTP_PROXY: 'p:1', no_proxy: 'b.com, a.com' }, 'direct'],
  ['http://x.a.com/', { HTTP_PROXY: 'p:1', NO_PROXY: '.a.com' }, 'direct'],
  ['http://xa.com/', { HTTP_PROXY: 'p:1', NO_PROXY: 'a.com,' }, 'proxy'],
  ['http://a.com:81/', { HTTP_PROXY: 'p:1', NO_PROXY: 'a.com:80' }, 'proxy'],
  ['http://a.com/', { HTTP_PROXY: 'p:1', NO_PROXY: 'a.com:80' }, 'direct'],
  ['https://a.com/', { HTTPS_PROXY: 'https://p:1' }, 'broken'],
])('%s with %j goes %s', (url, environment, kind) => expect(findExit(new URL(url), environment).kind).toBe(kind))
