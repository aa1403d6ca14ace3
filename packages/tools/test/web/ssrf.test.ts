import { corpus } from '@maru/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { readAllowedHosts } from '../../src/web/allowed-hosts.ts'
import { isPublicAddress } from '../../src/web/public-address.ts'
import { findRoute, type RouteRules } from '../../src/web/route.ts'
import { isCovered, readTarget } from '../../src/web/target.ts'
import { createWebFetch, type WebEdges } from '../../src/web/web-fetch.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { call, openSite, openWebSite, ownLoopback } from './servers.ts'

const PUBLIC = '93.184.216.34'
const REFUSED = ['refused-address', 'refused-port', 'bad-url']

function rulesOf(own: Partial<RouteRules> = {}): RouteRules {
  return {
    isNamed: readAllowedHosts([]),
    isPublic: isPublicAddress,
    environment: {},
    proxyIsTrusted: false,
    resolve: async () => [PUBLIC],
    ...own,
  }
}

/** The addresses that a call would connect to, or the code of what it says instead. */
async function whereTo(url: string, rules: RouteRules): Promise<readonly string[] | string> {
  const target = readTarget(url, rules)
  if ('problem' in target) return target.problem.code
  const route = await findRoute(target, rules)
  if ('problem' in route) return route.problem.code
  return route.kind === 'direct' ? route.addresses : route.kind
}

describe('the ssrf corpus', () => {
  const rows = corpus<{ id: string; url: string; expect: 'block' | 'allow' }>('web/ssrf.jsonl')
  const needRows = ({ skip }: { skip(reason: string): void }) => {
    if (!rows) skip('$MARU_CORPORA does not name the test corpora')
    return rows ?? []
  }

  // Every name resolves well here, so that nothing is blocked by lack of an address.
  test('each row is blocked or allowed as it says', async (context) => {
    const wrong: string[] = []
    for (const { id, url, expect: expected } of needRows(context)) {
      const where = await whereTo(url, rulesOf())
      const isRefused = typeof where === 'string' && REFUSED.includes(where)
      if (isRefused !== (expected === 'block')) wrong.push(`${id} ${url}: ${where}`)
    }
    expect(wrong).toEqual([])
  })

  test('what is blocked by its spelling asks nobody and resolves nothing', async (context) => {
    for (const { url } of needRows(context).filter((row) => row.expect === 'block')) {
      let resolved = 0
      const resolve = async () => {
        resolved++
        return [PUBLIC]
      }
      const edges: WebEdges = { isPublic: isPublicAddress, resolve }
      const prepared = await createWebFetch({ environment: {} }, edges).prepare({ url }, contextOf())
      expect(prepared.access, url).toEqual([])
      expect((await prepared.run(contextOf())).ok, url).toBe(false)
      expect(resolved, url).toBe(0)
    }
  })
})

describe('an address by its spelling', () => {
  test.each([
    ...[
      'http://127.0.0.1:80/',
      'http://127.0.0.1./',
      'http://0177.1/',
      'http://0x7f.0.0.0x1/',
      'http://017700000001/',
      'http:127.0.0.1',
    ],
    ...[
      'http:///127.0.0.1/',
      'HTTP://127.0.0.1',
      'http://①②⑦.⓪.⓪.①/',
      'http://%31%32%37.0.0.1/',
      'http://[::]/',
      'http://[0:0:0:0:0:0:0:1]/',
    ],
    ...[
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://[::ffff:a9fe:a9fe]/',
    ],
    ...[
      'http://169.254.169.254/latest/meta-data/',
      'http://metadata.google.internal/',
      'http://LOCALHOST/',
      'http://localhost./',
      'http://a.localhost./',
    ],
    ...[
      'http://printer.local/',
      'http://router.lan/',
      'http://nas.home.arpa/',
      'http://wiki/',
      'http://x.onion/',
      'http://x.test/',
    ],
    ...[
      'http://ok.com@127.0.0.1/',
      'http://user:pass@nodejs.org/',
      'http://127.0.0.1\\@nodejs.org/',
      'http://nodejs.org\\@127.0.0.1/',
    ],
    ...[
      'http://nodejs.org:22/',
      'http://nodejs.org:6379/',
      'http://nodejs.org:0/',
      'https://nodejs.org:25/',
      'http://nodejs.org:99999/',
    ],
    ...[
      'ftp://nodejs.org/',
      'file:///etc/passwd',
      'gopher://nodejs.org/',
      'data:text/html,x',
      'javascript:alert(1)',
      'nodejs.org',
      '//nodejs.org',
      '',
    ],
    ...[
      'http://node\njs.org/',
      'http://nodejs.org/a b',
      'http://nodejs.org/\u001b[2J',
      'http://node_js..org/',
      'http://nodejs.org../',
      'http://a%00.org/',
    ],
    `http://nodejs.org/${'a'.repeat(2_000)}`,
    `http://${'a'.repeat(64)}.org/`,
    `http://${'a.'.repeat(150)}org/`,
  ])('%j is refused', async (url) => expect(REFUSED).toContain(await whereTo(url, rulesOf())))

  test.each([
    ...[
      'http://nodejs.org',
      'https://nodejs.org:443/api/?a=1#part',
      'http://nodejs.org./',
      'https://nodejs.org:8443/',
      'https://한국.com/경로',
    ],
    ...[
      'https://example.com/',
      'https://test.com/',
      'https://local.com/',
      'https://localhost.com/',
      '  https://nodejs.org/  ',
      'https://a_b.nodejs.org/',
    ],
  ])('%j is allowed', async (url) => expect(await whereTo(url, rulesOf())).toEqual([PUBLIC]))

  test('a public literal is allowed as it is, in its one spelling', async () => {
    expect(await whereTo('http://1572395042/', rulesOf())).toEqual([PUBLIC])
    expect(await whereTo('http://[2606:4700::0:1]/', rulesOf())).toEqual(['2606:4700::1'])
  })
})

describe('an address by what its name resolves to', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
    'fe80::1%eth0',
    'nonsense',
  ])('a harmless name for %s is refused', async (address) => {
    expect(await whereTo('http://nodejs.org/', rulesOf({ resolve: async () => [address] }))).toBe('refused-address')
  })

  test('of several addresses only those are kept that may be reached', async () => {
    const resolve = async () => ['127.0.0.1', PUBLIC, '::1', '2606:4700::1']
    expect(await whereTo('http://nodejs.org/', rulesOf({ resolve }))).toEqual([PUBLIC, '2606:4700::1'])
  })

  test('a name without any address is said to have none', async () => {
    expect(await whereTo('http://nodejs.org/', rulesOf({ resolve: async () => [] }))).toBe('unreachable')
  })
})

describe('hosts that the user allows', () => {
  const where = (url: string, entries: string[]) =>
    whereTo(url, rulesOf({ isNamed: readAllowedHosts(entries), resolve: async () => ['10.0.0.7'] }))

  test('are reached at their private address and at any port, or at the one that is named', async () => {
    expect(await where('http://wiki.corp:1234/', ['wiki.corp'])).toEqual(['10.0.0.7'])
    expect(await where('http://WIKI.corp.:1234/', ['Wiki.Corp:1234'])).toEqual(['10.0.0.7'])
    expect(await where('http://wiki.corp/', ['wiki.corp:80'])).toEqual(['10.0.0.7'])
    expect(await where('http://127.1:3000/', ['127.0.0.1:3000'])).toEqual(['127.0.0.1'])
    expect(await where('http://[0:0::1]:3000/', ['::1'])).toEqual(['::1'])
    expect(await where('http://[::1]:3000/', ['[::1]:3000'])).toEqual(['::1'])
  })

  test('are only those: no neighbour, no part of a name, no other port, no other name of the same address', async () => {
    for (const url of [
      ...['http://wiki.corp:81/', 'http://a.wiki.corp/', 'http://wiki.corp.evil.com/', 'http://xwiki.corp/'],
      ...['http://10.0.0.7/', 'http://evil.com/', 'http://wiki.corp@evil.com/'],
    ])
      expect(REFUSED, url).toContain(await where(url, ['wiki.corp:80', '127.0.0.1']))
  })

  test.each(['http://wiki.corp', 'wiki.corp/x', 'a@b', '*.corp', 'a b', '', 'a:99999'])('%j is no host', (entry) => {
    expect(() => readAllowedHosts([entry])).toThrow(/is no host/)
  })
})

test.each([
  ['https://a.com/x', 'https://a.com/y', true],
  ['http://a.com/', 'https://a.com/', true],
  ['http://a.com/', 'http://a.com./b', true],
  ['https://a.com/', 'http://a.com/', false],
  ['https://a.com:8443/', 'http://a.com:8443/', false],
  ['http://a.com:8080/', 'https://a.com/', false],
  ['http://a.com/', 'https://a.com:8443/', false],
  ['https://a.com/', 'https://www.a.com/', false],
  ['https://a.com/', 'https://a.com.evil.com/', false],
])('a redirect from %s to %s is within what was approved: %s', (from, to, expected) => {
  const [approved, next] = [from, to].map((url) => readTarget(url, rulesOf()))
  if (!approved || !next || 'problem' in approved || 'problem' in next) throw new Error('refused')
  expect(isCovered(next, approved)).toBe(expected)
})

describe('connections', () => {
  // One loopback address plays the public internet, another stays what it is. Nobody else is at either.
  const [web, inside] = [ownLoopback(), ownLoopback()]
  const isPublic = (address: string) => address === web
  beforeEach(({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux answers at all of 127.0.0.0/8 without being told to')
  })
  /** A resolver that gives the next answer each time, and the last one for ever. */
  const inTurn = (...answers: string[]) => {
    const asked: string[] = []
    const resolve = async (host: string) => [answers[Math.min(asked.push(host), answers.length) - 1] ?? '']
    return { resolve, asked }
  }
  const fetchVia = (resolve: WebEdges['resolve'], ...allowHosts: string[]) =>
    createWebFetch({ environment: {}, allowHosts }, { resolve, isPublic })

  test('go to the very address that was judged, though the name resolves to another one a moment later', async () => {
    await using good = await openWebSite((_, response) => response.end('good'), web)
    const { port } = good
    await using evil = await openSite((_, response) => response.end('evil'), { address: inside, port })
    const { resolve, asked } = inTurn(web, inside)
    const result = await call(fetchVia(resolve), { url: `http://rebind.com:${port}/` })
    expect(result.stdout).toMatch(/\n\ngood$/)
    expect(asked).toEqual(['rebind.com'])
    expect(good.requests[0]?.headers.host).toBe(`rebind.com:${port}`)
    expect(evil.connections()).toBe(0)
  })

  test('are judged again after a redirect to the same host', async () => {
    await using good = await openWebSite((_, response) => response.writeHead(302, { location: '/next' }).end(), web)
    const { port } = good
    await using evil = await openSite((_, response) => response.end('evil'), { address: inside, port })
    const { resolve, asked } = inTurn(web, inside)
    const result = await call(fetchVia(resolve), { url: `http://rebind.com:${port}/` })
    expect(codesOf(result)).toEqual(['refused-address'])
    expect(asked).toHaveLength(2)
    expect(good.connections()).toBe(1)
    expect(evil.connections()).toBe(0)
  })

  test('are not made at all to a name that resolves to this machine', async () => {
    await using evil = await openWebSite((_, response) => response.end('evil'))
    const result = await call(
      fetchVia(async () => ['127.0.0.1']),
      { url: `http://rebind.com:${evil.port}/` },
    )
    expect(codesOf(result)).toEqual(['refused-address'])
    expect(evil.connections()).toBe(0)
  })

  test('a name is not resolved before the call is approved', async () => {
    const { resolve, asked } = inTurn(web)
    const prepared = await fetchVia(resolve).prepare({ url: 'http://secret.evil.com/' }, contextOf())
    expect(prepared.access).toEqual([
      { kind: 'net', host: 'secret.evil.com', port: 80 },
      { kind: 'net', host: 'secret.evil.com', port: 443 },
    ])
    expect(prepared.preview).toEqual({ kind: 'text', text: 'GET http://secret.evil.com/' })
    expect(asked).toEqual([])
  })

  test.each([
    ['this machine', 'http://127.0.0.1:PORT/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/'],
    ['another spelling of this machine', '//0x7f000001:PORT/'],
    ['a local name', 'http://localhost:PORT/'],
    ['a file', 'file:///etc/passwd'],
    ['a password', 'http://user:pass@good.com:PORT/'],
    ['another port', 'http://good.com:22/'],
  ])('a redirect to %s is refused before it is followed', async (_what, pattern) => {
    await using evil = await openWebSite((_, response) => response.end('evil'))
    const { port } = evil
    const location = pattern.replace('PORT', String(port))
    await using good = await openSite((_, response) => response.writeHead(302, { location }).end('moved'), {
      address: web,
      port,
    })
    const result = await call(
      fetchVia(async () => [web]),
      { url: `http://good.com:${port}/` },
    )
    expect(result.ok).toBe(false)
    expect(REFUSED).toContain(codesOf(result)[0])
    expect(result.diagnostics?.[0]?.hint).not.toContain('Call WebFetch')
    expect([good.connections(), evil.connections()]).toEqual([1, 0])
  })

  test('a redirect to another public host is not followed but named', async () => {
    await using good = await openWebSite(
      ({ socket }, response) => response.writeHead(301, { location: `//other.com:${socket.localPort}/a?b` }).end(),
      web,
    )
    const { port } = good
    const result = await call(
      fetchVia(async () => [web]),
      { url: `http://good.com:${port}/` },
    )
    expect(result).toEqual({
      ok: false,
      diagnostics: [
        {
          code: 'redirected-elsewhere',
          message: `http://good.com:${port}/ redirects to http://other.com:${port}/a?b, which was not approved with this call.`,
          hint: 'Call WebFetch with that URL if it is what you need.',
        },
      ],
    })
    expect(good.connections()).toBe(1)
  })

  test('a host that the user allows may not send us to another port or host that is private', async () => {
    await using other = await openSite((_, response) => response.end('other'))
    await using site = await openSite((_, response) => response.writeHead(307, { location: other.url }).end())
    const narrow = await call(
      fetchVia(async () => [], `127.0.0.1:${site.port}`),
      { url: site.url },
    )
    expect(codesOf(narrow)).toEqual(['refused-address'])
    const wide = await call(
      fetchVia(async () => [], '127.0.0.1'),
      { url: site.url },
    )
    expect(codesOf(wide)).toEqual(['redirected-elsewhere'])
    expect(other.connections()).toBe(0)
  })
})
