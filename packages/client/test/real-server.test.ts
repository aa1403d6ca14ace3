import { createLiveBus, type History } from '@maru/store'
import { collect, start, take, toolStart, upTo } from '@maru/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi, createRemoteBlobs, createRemoteLog } from '../src/index.ts'
import { openTestHistory, type RealServer, startRealServer } from './real-server.ts'
import { cuttingSocket, losingSocket, scissors } from './scissors.ts'
import { tellStory } from './story.ts'
import { quickly } from './world.ts'

let history: History
let server: RealServer
beforeAll(async () => {
  history = await openTestHistory()
  server = await startRealServer(history)
})
afterAll(async () => {
  await server.close()
  await history.close()
})

describe('a story over a server that people use', () => {
  async function newRoom() {
    const { token, owner } = await server.join()
    const { log, blobs } = await history.openOwner(owner)
    return { url: server.url, token, room: { log, blobs, live: createLiveBus() } }
  }

  test('is told whole, however it is cut', async () => {
    const places = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(places, places, places, async (lost, unanswered, heard) => {
        const cuts = () =>
          cuttingSocket(
            scissors({
              'before-send': new Set(lost),
              'after-send': new Set(unanswered),
              'after-receive': new Set(heard),
            }),
          )
        await tellStory({ ...(await newRoom()), runner: cuts(), door: cuts() })
      }),
      { numRuns: 5 },
    )
  })

  test('does not wait for a lease whose answer was lost', async () => {
    const { url, token, room } = await newRoom()
    await room.log.create('s', start)
    const heard: string[] = []
    const connection = quickly(url, token, { WebSocket: losingSocket(/"epoch"/, heard) })
    const log = createRemoteLog(connection)
    const lease = await log.lease('s')
    await log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c')])
    expect(heard.filter((frame) => frame.includes('"held"'))).toEqual([])
    await log.close()
    connection.close()
  })

  test('goes on when the server is started anew', async () => {
    const room = await newRoom()
    const told = tellStory({ ...room, turns: 6 })
    for (const _ of [1, 2]) {
      await new Promise((resolve) => setTimeout(resolve, 60))
      await server.startAgain()
    }
    await told
  })
})

describe('the API', () => {
  test('conversations are begun, changed, walked, found and removed', async () => {
    const { token } = await server.join()
    const api = createApi({ url: server.url, token })
    for (const n of [1, 2, 3]) await api.conversations.begin({ title: `제목 ${n}`, initialMessage: `안녕하세요 ${n}` })
    const all = await collect(api.conversations.list({ limit: 2, sort: 'created' }))
    expect(all.map(({ title }) => title)).toEqual(['제목 1', '제목 2', '제목 3'])
    const id = all[0]?.id ?? ''
    const { conversation, etag } = await api.conversations.get(id)
    expect(conversation.messages).toBe(1)
    expect(await api.conversations.change(id, { tags: ['red'] }, etag)).toMatchObject({ tags: ['red'] })
    await expect(api.conversations.change(id, { tags: [] }, etag)).rejects.toMatchObject({
      name: 'ApiError',
      status: 412,
      code: 'version-changed',
    })
    const message = { role: 'user' as const, content: '마루에게', clientId: 'mine' }
    const first = await api.conversations.addMessage(id, message)
    expect(await api.conversations.addMessage(id, message)).toEqual(first)
    expect((await api.conversations.messages(id)).items.map(({ content }) => content)).toEqual([
      '안녕하세요 1',
      '마루에게',
    ])
    expect((await take(api.search('마루'), 1)).map(({ conversation: found }) => found)).toEqual([id])
    expect(await (await api.conversations.export(id, 'md')).text()).toBe(`${id} as md`)
    await api.conversations.hideMessage(id, first.seq)
    await api.conversations.remove(id)
    await expect(api.conversations.get(id)).rejects.toMatchObject({ status: 404, code: 'not-found' })
    expect(await api.usage()).toMatchObject({ conversations: 2 })
  })

  test('sessions are walked to the last, however many there are', async () => {
    const { token, owner } = await server.join()
    const own = await history.openOwner(owner)
    const start = { agent: { kind: 'maru' as const }, door: 'web' as const }
    const ids = upTo(1_203).map((n) => `s${n}`)
    await own.begin(ids.map((id, at) => ({ id, start: { start, at }, facts: [] })))
    await own.log.close()
    const listed = await collect(createApi({ url: server.url, token }).sessions.list())
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed())
  })

  test('a browser signs in with a link once, and changes things with the proof that a page of ours asks', async () => {
    let cookie = ''
    const proofs: (string | null)[] = []
    // What a browser does by itself: it keeps the cookie and sends it back.
    const browse: typeof fetch = async (target, options) => {
      const headers = new Headers(options?.headers)
      if (cookie) headers.set('cookie', cookie)
      if (options?.method !== 'GET') proofs.push(headers.get('x-maru-csrf'))
      const response = await fetch(target, { ...options, headers })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return response
    }
    const token = new URL(await server.makeLink()).hash.replace(/^#(token=)?/, '')
    const api = createApi({ url: server.url, fetch: browse })
    await api.signIn('link', { token })
    await expect(api.signIn('link', { token })).rejects.toMatchObject({ status: 401 })
    await api.conversations.begin({ title: 'from a page' })
    expect(proofs.slice(0, 2)).toEqual([null, null])
    expect(proofs[2]).toMatch(/.{20}/)
    await api.signOut()
    await expect(api.me()).rejects.toMatchObject({ status: 401 })
  })

  test('what may be done twice is tried again, and other things are not', async () => {
    const { token } = await server.join()
    let failures = 2
    const flaky: typeof fetch = (target, options) =>
      failures-- > 0 ? Promise.reject(new TypeError('fetch failed')) : fetch(target, options)
    const api = createApi({ url: server.url, token, fetch: flaky })
    expect(await collect(api.conversations.list())).toEqual([])
    failures = 1
    await expect(api.conversations.begin({})).rejects.toThrow('fetch failed')
    const { id } = await api.conversations.begin({})
    failures = 2
    const stored = await api.conversations.addMessage(id, { role: 'user', content: 'once' })
    expect((await api.conversations.messages(id)).items).toEqual([stored])
  })

  test('content is put and got, whole and in part, by who holds it', async () => {
    const { token } = await server.join()
    const blobs = createRemoteBlobs({ url: server.url, token })
    const { hash, bytes } = await blobs.put('s', '가나다 content')
    expect(bytes).toBe(17)
    const text = async (range?: { start: number; end: number }) =>
      new TextDecoder().decode(await blobs.get('s', hash, range))
    expect(await text()).toBe('가나다 content')
    expect(await text({ start: 3, end: 9 })).toBe('나다')
    expect(await text({ start: 10, end: 999 })).toBe('content')
    expect(await text({ start: 999, end: 1_000 })).toBe('')
    expect(await text({ start: 5, end: 5 })).toBe('')
    expect(await blobs.get('other', hash)).toBeUndefined()
    await blobs.share('s', 'other', [hash])
    expect(await blobs.get('other', hash)).toBeDefined()
  })
})
