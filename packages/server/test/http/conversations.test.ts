import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../socket/client.ts'
import { type Served, type Someone, serve } from './serve.ts'

let served: Served
let me: Someone
let other: Someone
beforeAll(async () => {
  served = await serve()
  me = await served.join()
  other = await served.join()
})
afterAll(() => served.server.close())

async function begin(wish: object = {}): Promise<string> {
  const { status, json } = await me.ask('POST', '/api/v1/conversations', wish)
  expect(status).toBe(201)
  return json.id
}

describe('conversations', () => {
  test('one is begun, found, renamed, archived and erased', async () => {
    const wish = {
      title: '첫 대화',
      description: 'about things',
      project: 'maru',
      service: 'web',
      initialMessage: '안녕',
    }
    const made = await me.ask('POST', '/api/v1/conversations', wish)
    expect(made).toMatchObject({
      status: 201,
      json: { title: '첫 대화', project: 'maru', service: 'web', messages: 1 },
    })
    const path = `/api/v1/conversations/${made.json.id}`
    expect(made.headers.location).toBe(path)
    const patch = { title: 'Renamed', status: 'archived', tags: ['b', 'a'] }
    const patched = await me.ask('PATCH', path, patch)
    expect(patched).toMatchObject({ status: 200, json: { title: 'Renamed', status: 'archived', tags: ['a', 'b'] } })
    expect((await me.ask('GET', path)).json).toEqual(patched.json)
    expect((await me.ask('DELETE', path)).status).toBe(204)
    expect(await me.ask('GET', path)).toMatchObject({ status: 404, json: { code: 'not-found' } })
  })

  test('whatever is changed about one, it moves in the list and who watches is told', async () => {
    const someone = await served.join()
    const own = await served.history.openOwner(someone.key.person.id)
    const patches = { status: 'archived', tags: ['a'], description: 'about', project: 'p', title: 'Renamed' }
    for (const name of Object.keys(patches)) {
      await own.add(name, { start: { start: { agent: { kind: 'maru' }, door: 'web' }, at: 1_000 }, facts: [] })
    }
    await own.log.close()
    const client = await Client.open({ url: `${served.url.replace('http', 'ws')}/ws` }, { secret: someone.token })
    client.send({ type: 'watch' }, { type: 'ping' })
    await client.first('pong')
    for (const [name, value] of Object.entries(patches)) {
      const { status, json } = await someone.ask('PATCH', `/api/v1/conversations/${name}`, { [name]: value })
      expect([name, status]).toEqual([name, 200])
      expect([name, json.updatedAt > 1_000]).toEqual([name, true])
      await client.first('change', ({ change }) => 'id' in change && change.id === name)
      const { items } = (await someone.ask('GET', '/api/v1/conversations?sort=-updated')).json
      expect(items[0].id).toBe(name)
    }
    client.close()
  })

  test('a change of what has changed since is refused', async () => {
    const path = `/api/v1/conversations/${await begin({ title: 'One' })}`
    const { headers } = await me.ask('GET', path)
    const version = { 'if-match': String(headers.etag) }
    expect((await me.ask('PATCH', path, { description: 'mine' }, version)).status).toBe(200)
    const late = await me.ask('PATCH', path, { title: 'late' }, version)
    expect(late).toMatchObject({ status: 412, json: { code: 'version-changed' } })
    expect((await me.ask('DELETE', path, undefined, version)).status).toBe(412)
    expect((await me.ask('GET', path)).json).toMatchObject({ title: 'One', description: 'mine' })
  })

  test('the list is filtered, sorted and paged', async () => {
    const someone = await served.join()
    for (let n = 0; n < 5; n++) {
      const wish = {
        title: `Talk ${n}`,
        project: n % 2 ? 'odd' : 'even',
        ...(n === 4 && { initialMessage: '지하철 안내' }),
      }
      expect((await someone.ask('POST', '/api/v1/conversations', wish)).status).toBe(201)
    }
    const titles = async (query: string) => {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { status, json } = await someone.ask('GET', `/api/v1/conversations?${query}${cursor}`)
        expect(status).toBe(200)
        seen.push(...json.items.map(({ title }: { title: string }) => title))
        if (json.nextCursor === undefined) return seen
        cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`
      }
    }
    expect(await titles('sort=created&limit=2')).toEqual(['Talk 0', 'Talk 1', 'Talk 2', 'Talk 3', 'Talk 4'])
    expect(await titles('sort=-created&limit=3')).toEqual(['Talk 4', 'Talk 3', 'Talk 2', 'Talk 1', 'Talk 0'])
    expect(await titles('sort=-lastMessage&limit=2')).toHaveLength(5)
    expect(await titles('project=odd&sort=created')).toEqual(['Talk 1', 'Talk 3'])
    expect(await titles(`q=${encodeURIComponent('하철')}`)).toEqual(['Talk 4'])
    expect(await titles('status=archived')).toEqual([])
    expect(await titles('from=2020-01-01&to=2021-01-01')).toEqual([])
  })

  test('nothing of somebody else is found, changed or told apart from what is missing', async () => {
    const id = await begin({ title: 'secret' })
    const asked = (path: string) =>
      [
        ['GET', path],
        ['PATCH', path, { title: 'x' }],
        ['DELETE', path],
        ['GET', `${path}/messages`],
        ['POST', `${path}/messages`, { clientId: 'c', role: 'user', content: 'x' }],
        ['DELETE', `${path}/messages/1`],
        ['POST', `${path}/fork`, { seq: 1 }],
        ['GET', `${path}/summaries`],
        ['POST', `${path}/summaries`, {}],
        ['GET', `${path}/context`],
        ['GET', `${path}/export`],
        ['POST', `/api/v1/sessions/${path.split('/').at(-1)}/inputs`, { clientId: 'c', text: 'x' }],
        ['POST', `/api/v1/sessions/${path.split('/').at(-1)}/interrupt`, {}],
        ['POST', `/api/v1/sessions/${path.split('/').at(-1)}/approvals/c`, { actionHash: 'h', option: 'allow' }],
        ['POST', `/api/v1/sessions/${path.split('/').at(-1)}/questions/q`, { kind: 'cancel' }],
        ['GET', `/api/v1/sessions/${path.split('/').at(-1)}/diff`],
        ['POST', `/api/v1/sessions/${path.split('/').at(-1)}/undo`, {}],
      ] as const
    for (const [method, path, body] of asked(`/api/v1/conversations/${id}`)) {
      const foreign = await other.ask(method, path, body)
      const missing = await other.ask(method, path.replace(id, '00000000-0000-7000-8000-000000000000'), body)
      expect([method, path, foreign.status]).toEqual([method, path, 404])
      expect(foreign.text).toBe(missing.text)
    }
    expect((await me.ask('GET', `/api/v1/conversations/${id}`)).json.title).toBe('secret')
    expect((await other.ask('GET', '/api/v1/conversations')).json.items).toEqual([])
  })
})

describe('messages', () => {
  const path = (id: string) => `/api/v1/conversations/${id}/messages`

  test('the same clientId twice is one message', async () => {
    const id = await begin()
    const message = { clientId: 'c1', role: 'assistant', content: 'hello', model: 'm', tokens: 3, metadata: { a: [1] } }
    const first = await me.ask('POST', path(id), message)
    expect(first).toMatchObject({ status: 201, json: { role: 'assistant', content: 'hello', model: 'm', tokens: 3 } })
    expect((await me.ask('POST', path(id), { ...message, content: 'other' })).json).toEqual(first.json)
    expect((await me.ask('GET', path(id))).json.items).toEqual([first.json])
  })

  test('a long one comes back whole, and so does one with odd letters', async () => {
    const id = await begin()
    const content = `${'긴 글 '.repeat(20_000)}끝`
    const stored = await me.ask('POST', path(id), { clientId: 'long', role: 'user', content })
    expect(stored.json.content).toBe(content)
    const odd = await me.ask('POST', path(id), {
      clientId: 'odd\u0000\ud800',
      role: 'user',
      content: 'a\u0000b\ud800c',
    })
    expect(odd.status).toBe(201)
    expect((await me.ask('GET', path(id))).json.items).toHaveLength(2)
  })

  test('pages go backwards from the newest, forwards, and around one', async () => {
    const id = await begin()
    for (let n = 0; n < 7; n++) {
      await me.ask('POST', path(id), { clientId: `m${n}`, role: 'user', content: `m${n}` })
    }
    const contents = async (query: string) => {
      const { json } = await me.ask('GET', `${path(id)}?${query}`)
      return { said: json.items.map(({ content }: { content: string }) => content), cursor: json.nextCursor as string }
    }
    const newest = await contents('limit=3')
    expect(newest.said).toEqual(['m4', 'm5', 'm6'])
    const older = await contents(`limit=3&cursor=${newest.cursor}`)
    expect(older.said).toEqual(['m1', 'm2', 'm3'])
    expect(await contents(`limit=3&cursor=${older.cursor}`)).toEqual({ said: ['m0'], cursor: undefined })
    const all = await me.ask('GET', path(id))
    const seq = all.json.items[3].seq
    expect((await contents(`after=${seq}&limit=2`)).said).toEqual(['m4', 'm5'])
    expect((await contents(`before=${seq}&limit=2`)).said).toEqual(['m1', 'm2'])
    expect((await contents(`around=${seq}&limit=4`)).said).toEqual(['m1', 'm2', 'm3', 'm4'])
  })

  test('one is hidden, and one is erased', async () => {
    const id = await begin()
    const seqs: number[] = []
    for (const content of ['stays', 'hidden', 'erased']) {
      seqs.push((await me.ask('POST', path(id), { clientId: content, role: 'user', content })).json.seq)
    }
    expect((await me.ask('DELETE', `${path(id)}/${seqs[1]}`)).status).toBe(204)
    expect((await me.ask('DELETE', `${path(id)}/${seqs[2]}?erase=true`)).status).toBe(204)
    expect((await me.ask('DELETE', `${path(id)}/1?erase=true`)).status).toBe(404)
    expect((await me.ask('DELETE', `${path(id)}/9999`)).status).toBe(404)
    const { json } = await me.ask('GET', path(id))
    expect(json.items.map(({ content }: { content: string }) => content)).toEqual(['stays'])
    expect((await me.ask('GET', `/api/v1/conversations/${id}`)).json.messages).toBe(1)
  })

  test('a fork has what was said up to its message, and a title of its own', async () => {
    const id = await begin({ title: 'trunk' })
    const seqs: number[] = []
    for (const content of ['one', 'two', 'three']) {
      seqs.push((await me.ask('POST', path(id), { clientId: content, role: 'user', content })).json.seq)
    }
    const fork = await me.ask('POST', `/api/v1/conversations/${id}/fork`, { seq: seqs[1], title: 'branch' })
    expect(fork).toMatchObject({ status: 201, json: { title: 'branch', messages: 2, forkOf: { id, seq: seqs[1] } } })
    const { json } = await me.ask('GET', path(fork.json.id))
    expect(json.items.map(({ content }: { content: string }) => content)).toEqual(['one', 'two'])
    expect(await me.ask('POST', `/api/v1/conversations/${id}/fork`, { seq: 999 })).toMatchObject({ status: 422 })
  })

  test('a fork of an assistant message reaches to the results of its calls', async () => {
    const id = await begin()
    const { log } = await served.history.openOwner(me.key.person.id)
    try {
      const lease = await log.lease(id)
      const call = { type: 'call' as const, callId: 'c', tool: 'ReadFile', args: {} }
      const records = await log.append(id, { epoch: lease.epoch, expect: lease.last }, [
        { type: 'run-start', runId: 'r', inputs: [] },
        { type: 'turn-start', turnId: 't', runId: 'r' },
        { type: 'turn-end', turnId: 't', parts: [call], stop: 'calls' as never },
        { type: 'tool-start', callId: 'c', tool: 'ReadFile', args: {} },
        { type: 'tool-end', callId: 'c', outcome: 'ok', result: {}, parts: [] },
        { type: 'run-end', runId: 'r', reason: 'done' },
      ])
      await lease.release()
      const said = records.find(({ type }) => type === 'turn-end')?.seq ?? 0
      const fork = await me.ask('POST', `/api/v1/conversations/${id}/fork`, { seq: said })
      expect(fork.json.forkOf).toEqual({ id, seq: said + 2 })
    } finally {
      await log.close()
    }
  })
})

describe('what is made from conversations', () => {
  test('a word inside a longer Korean one is found, with its place', async () => {
    const id = await begin({ title: 'lines', initialMessage: '서울지하철노선도를 보여 주세요' })
    const { status, json } = await me.ask('GET', `/api/v1/search?q=${encodeURIComponent('지하철')}`)
    expect(status).toBe(200)
    const [hit] = json.items
    expect(hit).toMatchObject({ conversation: id, role: 'user', title: 'lines' })
    const [[start, end]] = hit.ranges
    expect(hit.snippet.slice(start, end)).toBe('지하철')
    expect((await other.ask('GET', `/api/v1/search?q=${encodeURIComponent('지하철')}`)).json.items).toEqual([])
  })

  test('the context holds the newest messages that fit, and the summary for the rest', async () => {
    const id = await begin()
    const path = `/api/v1/conversations/${id}`
    for (let n = 0; n < 6; n++) {
      await me.ask('POST', `${path}/messages`, {
        clientId: `${n}`,
        role: 'user',
        content: `message ${n} ${'word '.repeat(40)}`,
      })
    }
    const small = await me.ask('GET', `${path}/context?budget=120`)
    expect(small.status).toBe(200)
    expect(small.json.messages.length).toBeGreaterThan(0)
    expect(small.json.messages.length).toBeLessThan(6)
    expect(small.json.messages.at(-1).content).toMatch(/^message 5/)
    expect(small.json.tokens).toBeLessThanOrEqual(120)
    const { log } = await served.history.openOwner(me.key.person.id)
    const by = { kind: 'system' as const, id: 'summary' }
    await log.admit(id, { type: 'summary-add', key: 's', by, covers: { from: 1, to: 4 }, text: 'In short.' })
    await log.close()
    expect((await me.ask('GET', `${path}/summaries`)).json.items).toMatchObject([
      { covers: { from: 1, to: 4 }, text: 'In short.' },
    ])
    const whole = await me.ask('GET', `${path}/context`)
    expect(whole.json.summary).toEqual({ covers: { from: 1, to: 4 }, text: 'In short.' })
    expect(whole.json.messages[0].seq).toBeGreaterThan(4)
  })

  test('a summary that no model here would write is not waited for', async () => {
    const id = await begin({ initialMessage: 'sum me up' })
    const refused = await me.ask('POST', `/api/v1/conversations/${id}/summaries`, { maxWords: 50 })
    expect(refused).toMatchObject({ status: 409, json: { code: 'no-model', title: 'No model is configured here' } })
    expect(refused.headers['content-type']).toContain('application/problem+json')
    expect(refused.json.detail).toContain('maru config set keys.PROVIDER -')
    const waiting = await served.history.engine.as(me.key.person.id, (db) => db.query('select from maru.job', []))
    expect(waiting).toEqual([])
  })

  test('it is exported, and sums are told', async () => {
    const id = await begin({ initialMessage: 'take me out' })
    const out = await me.ask('GET', `/api/v1/conversations/${id}/export?format=txt`)
    expect(out).toMatchObject({ status: 200, text: 'txt user: take me out\n' })
    expect(out.headers['content-disposition']).toBe(`attachment; filename="${id}.txt"`)
    const usage = await me.ask('GET', '/api/v1/usage')
    expect(usage.json.conversations).toBeGreaterThan(0)
    expect(usage.json.messages).toBeGreaterThan(0)
  })

  test('content is stored by its hash and read in ranges, by its owner', async () => {
    const bytes = Buffer.from('0123456789')
    const type = { 'content-type': 'application/octet-stream' }
    const put = await me.ask('POST', '/api/v1/blobs', bytes, type)
    expect(put).toMatchObject({ status: 201, json: { bytes: 10 } })
    const path = `/api/v1/blobs/${put.json.hash}`
    expect(await me.ask('GET', path)).toMatchObject({ status: 200, text: '0123456789' })
    expect(await me.ask('GET', path, undefined, { range: 'bytes=2-4' })).toMatchObject({ status: 206, text: '234' })
    expect((await me.ask('GET', path, undefined, { range: 'bytes=10-' })).status).toBe(416)
    expect((await other.ask('GET', path)).status).toBe(404)
    const held = await me.ask('POST', '/api/v1/blobs?holder=some-session', bytes, type)
    expect(held.json.hash).toBe(put.json.hash)
    expect((await me.ask('GET', `${path}?holder=some-session`)).status).toBe(200)
    expect((await me.ask('GET', `${path}?holder=another`)).status).toBe(404)
    expect((await me.ask('POST', '/api/v1/blobs?holder=%2312', bytes, type)).status).toBe(400)
  })

  test('an uploaded file becomes conversations, and progress is told', async () => {
    const table = 'id,user_id,prompt,response,created_at\n1,u,무엇입니까,답입니다,2026-01-02T03:04:05Z\n'
    const done = await me.ask('POST', '/api/v1/import?name=log.csv', table, { 'content-type': 'text/csv' })
    expect(done.status).toBe(200)
    const lines = done.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: 'report' })
    const again = await me.ask('POST', '/api/v1/import?name=log.csv', table, { 'content-type': 'text/csv' })
    expect(JSON.parse(again.text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'report', added: 0 })
  })
})
