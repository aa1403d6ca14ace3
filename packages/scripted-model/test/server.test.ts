import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as exported from '../src/index.ts'
import { ask, send, start } from './client.ts'

const wires = ['anthropic', 'responses', 'chat'] as const

test('the package exports these names and no others', () => {
  expect(Object.keys(exported).sort()).toEqual(['ScriptError', 'parseScript', 'startScriptedModel'])
})

test('the example of the README is the one that is compiled and runs', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  expect(await read('../README.md')).toContain(`\`\`\`ts\n${await read('./readme-example.ts')}\`\`\``)
  await import('./readme-example.ts')
})

test.each(wires)('%s: a missing key or a wrong one is answered with 401', async (wire) => {
  const model = await start({ script: [], key: 'secret' })
  const missing = await send(model, { ...ask(wire), headers: { 'anthropic-version': '2023-06-01' } })
  const wrong = await send(model, ask(wire))
  expect([missing.status, wrong.status]).toEqual([401, 401])
  const type = wire === 'anthropic' ? 'authentication_error' : 'invalid_request_error'
  expect(JSON.parse(missing.text)).toMatchObject({ error: { type } })
  expect(JSON.parse(wrong.text)).toMatchObject({
    error: wire === 'anthropic' ? { type } : { type, code: 'invalid_api_key' },
  })
  expect(model.problems.map((problem) => problem.kind)).toEqual(['refused', 'refused'])
})

test('the exact key is accepted; Anthropic takes it as a bearer too', async () => {
  const model = await start({ script: [{ reply: [] }, { reply: [] }], key: 'secret' })
  const version = { 'anthropic-version': '2023-06-01' }
  const own = await send(model, { ...ask('anthropic'), headers: { ...version, 'x-api-key': 'secret' } })
  const bearer = await send(model, { ...ask('anthropic'), headers: { ...version, authorization: 'Bearer secret' } })
  expect([own.status, bearer.status]).toEqual([200, 200])
})

test('models are listed in the shape of the vendor that is asked', async () => {
  const model = await start({ script: [], models: ['a', 'b'], createdAt: 86_400 })
  const list = async (headers: Record<string, string>) =>
    JSON.parse((await send(model, { method: 'GET', path: '/v1/models', headers })).text) as unknown
  expect(await list({ authorization: 'Bearer k' })).toEqual({
    object: 'list',
    data: [
      { id: 'a', object: 'model', created: 86_400, owned_by: 'scripted' },
      { id: 'b', object: 'model', created: 86_400, owned_by: 'scripted' },
    ],
  })
  expect(await list({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })).toEqual({
    data: [
      { type: 'model', id: 'a', display_name: 'a', created_at: '1970-01-02T00:00:00.000Z' },
      { type: 'model', id: 'b', display_name: 'b', created_at: '1970-01-02T00:00:00.000Z' },
    ],
    has_more: false,
    first_id: 'a',
    last_id: 'b',
  })
  const other = await send(model, ask('anthropic', { model: 'c' }))
  expect([other.status, JSON.parse(other.text)]).toMatchObject([404, { error: { type: 'not_found_error' } }])
})

test('what is no known path, not JSON or too large is refused in the shape of the vendor', async () => {
  const model = await start({ script: [] })
  const headers = { authorization: 'Bearer k', 'anthropic-version': '2023-06-01' }
  const lost = await send(model, { path: '/v1/embeddings', headers, body: {} })
  expect([lost.status, JSON.parse(lost.text)]).toMatchObject([
    404,
    { type: 'error', error: { type: 'not_found_error' } },
  ])
  const broken = await send(model, { ...ask('chat'), body: '{"model"' })
  expect([broken.status, JSON.parse(broken.text)]).toMatchObject([400, { error: { type: 'invalid_request_error' } }])
  const large = await send(model, { path: '/v1/messages', headers, body: 'x'.repeat(32 * 1024 * 1024 + 1) })
  expect([large.status, JSON.parse(large.text)]).toMatchObject([413, { error: { type: 'request_too_large' } }])
})

test('it listens on the loopback only, and closes twice', async () => {
  const model = await start({ script: [] })
  expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  await Promise.all([model.close(), model.close()])
  await model.close()
  await expect(send(model, ask('chat'))).rejects.toThrow('ECONNREFUSED')
})

test('requests that come together are answered with one step each', async () => {
  const script = Array.from({ length: 20 }, (_, at) => ({ reply: [{ text: `step ${at}` }] }))
  const model = await start({ script })
  const all = await Promise.all(script.map((_, at) => send(model, ask(wires[at % 3] ?? 'chat', { stream: false }))))
  const said = all.map(({ text }) => /step \d+/.exec(text)?.[0])
  expect(new Set(said).size).toBe(20)
  expect(model.stepsLeft).toBe(0)
})

test('a client that hangs up does not disturb the next', async () => {
  const reply = [{ text: 'long '.repeat(200_000) }]
  const model = await start({ script: [{ reply }, { reply: [{ text: 'short' }] }] })
  const left = await send(model, { ...ask('chat'), hangUp: () => true })
  expect(left.outcome).toBe('hung-up')
  expect((await send(model, ask('chat'))).text).toContain('short')
  expect(model.problems).toEqual([])
})
