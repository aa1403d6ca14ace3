import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, send, serve } from './serve.ts'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.server.close())

describe('the root page', () => {
  test('is in the language of the browser, or the one that is asked for', async () => {
    const page = (headers: { [name: string]: string }, path = '/') => send(served.url, { path, headers })
    expect((await page({ 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' })).text).toContain('<html lang="ko">')
    expect((await page({ 'accept-language': 'fr;q=1, en;q=0.5, ko;q=0.1' })).text).toContain('<html lang="en">')
    expect((await page({ 'accept-language': 'ko' }, '/?lang=en')).text).toContain('<html lang="en">')
    expect((await page({})).text).toContain('Description of the API')
    expect((await page({}, '/?lang=%3Cscript%3E')).text).not.toContain('<script>')
  })

  test('runs nothing but its own script, and is framed by nobody', async () => {
    const { headers, text } = await send(served.url, { path: '/' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' })
    for (const [, inside = ''] of text.matchAll(/<script[^>]*>([^<]*)<\/script>/g)) expect(inside).toBe('')
    expect(text).not.toMatch(/\son\w+=|style=/)
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^(\/|data:,$)/)
  })

  test('its script takes the token out of the address before it does anything else', async () => {
    const link = new URL(await served.server.makeLink())
    const { seen, elements } = await openPage(link.hash)
    expect(seen.asked[0]).toMatchObject({ path: '/api/v1/auth/link', address: '/' })
    expect(seen.asked[0]?.body).toBe(JSON.stringify({ token: link.hash.slice('#token='.length) }))
    expect(elements.get('state')?.hidden).toBe(false)
    expect(elements.get('user')?.textContent).toMatch(/^owner /)
  })

  test('a link that was used lets nobody in, and does not turn away who is in already', async () => {
    const link = new URL(await served.server.makeLink())
    const { cookie } = await openPage(link.hash)
    const again = await openPage(link.hash, cookie)
    expect(again.elements.get('state')?.hidden).toBe(false)
    expect(again.elements.get('notice')?.textContent).toBe('')
    const stranger = await openPage(link.hash)
    expect(stranger.elements.get('state')?.hidden).toBe(true)
    expect(stranger.elements.get('door')?.hidden).toBe(false)
    expect(stranger.elements.get('notice')?.textContent).toBe('no')
  })
})

/** Runs the page's script in as much of a browser as it uses; the requests are real. */
async function openPage(hash: string, cookie = '') {
  const { headers, text } = await send(served.url, { path: '/page.js' })
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  const seen = { address: hash, asked: [] as { path: string; body: unknown; address: string }[] }
  const jar = { cookie }
  const element = () => ({
    hidden: true,
    textContent: '',
    replaceChildren: () => undefined,
    addEventListener: () => undefined,
  })
  const elements = new Map(['state', 'door', 'notice', 'user'].map((id) => [id, element()]))
  const world = {
    document: {
      body: { dataset: { words: '{"signing-in":"…","refused":"no"}' } },
      forms: [],
      getElementById: (id: string) => elements.get(id) ?? elements.set(id, element()).get(id),
      createElement: element,
    },
    location: { hash, pathname: '/', search: '', origin: served.url },
    history: {
      replaceState(_state: unknown, _title: string, address: string) {
        seen.address = address
      },
    },
    WebSocket: Object.assign(
      class {
        readyState = 0
      },
      { CLOSING: 2 },
    ),
    ...{ URLSearchParams, JSON, Object, Promise, Error, setTimeout, clearTimeout, Map },
    fetch: async (path: string, init: RequestInit) => {
      seen.asked.push({ path, body: init.body, address: seen.address })
      const answer = await fetch(served.url + path, { ...init, headers: { ...init.headers, cookie: jar.cookie } })
      jar.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? jar.cookie
      return answer
    },
  }
  await runInNewContext(`(async () => { ${text} })()`, world)
  return { seen, elements, cookie: jar.cookie }
}
