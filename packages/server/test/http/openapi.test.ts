import { findMisfit } from '@maru/agent'
import type { Json } from '@maru/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, type Served, type Someone, send, serve, workshop } from './serve.ts'

type Schema = { [key: string]: Json }
interface Operation {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: { [type: string]: { schema?: Schema } } }
  responses: { [status: string]: { content?: { [type: string]: { schema?: Schema } } } }
}
interface Document {
  openapi: string
  paths: { [path: string]: { [method: string]: Operation } }
  components: { schemas: { [name: string]: Schema }; securitySchemes: object }
}

let served: Served
let me: Someone
let api: Document
beforeAll(async () => {
  served = await serve({ workshop: { ...workshop, summarise: async () => 'in short' } })
  me = await served.join()
  api = (await send(served.url, { path: '/api/v1/openapi.json' })).json
})
afterAll(() => served.server.close())

const operations = () =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

/** Fails where an answer is not what the description says. */
async function expectDescribed({ path, method }: { path: string; method: string }, answer: Answered): Promise<void> {
  const operation = api.paths[path]?.[method.toLowerCase()]
  const described = operation?.responses[answer.status]
  const name = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`
  if (!described) {
    expect(answer.status, name).toBeGreaterThanOrEqual(400)
    expect(answer.headers['content-type'], name).toBe('application/problem+json')
    expect(
      await findMisfit(withComponents({ $ref: '#/components/schemas/Problem' }), answer.json),
      name,
    ).toBeUndefined()
    return
  }
  const schema = described.content?.['application/json']?.schema
  if (schema) expect(await findMisfit(withComponents(schema), answer.json), name).toBeUndefined()
  if (!described.content) expect(answer.text, name).toBe('')
}

const withComponents = (schema: Schema): Schema => ({ ...schema, components: api.components as unknown as Json })

describe('the description', () => {
  test('is one of OpenAPI 3.1 that holds together', () => {
    expect(api.openapi).toBe('3.1.0')
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, name = ''] of JSON.stringify(api).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(api.components.schemas[name], name).toBeDefined()
    }
    for (const { path, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const inPath = operation.parameters.filter((one) => one.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual(named)
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(operation.responses['default']).toEqual({ $ref: '#/components/responses/Problem' })
      for (const { content } of Object.values(operation.responses))
        for (const type in content) expect(type).toMatch(/\//)
    }
  })

  test('names every route that others rely on', () => {
    const routes = operations().map(({ path, method }) => `${method} ${path}`)
    expect(routes).toEqual(
      expect.arrayContaining([
        ...['GET /api/v1/conversations', 'POST /api/v1/conversations', 'PATCH /api/v1/conversations/{id}'],
        ...['POST /api/v1/conversations/{id}/fork', 'DELETE /api/v1/conversations/{id}/messages/{seq}'],
        ...['GET /api/v1/search', 'POST /api/v1/import', 'POST /api/v1/sessions/{id}/approvals/{callId}'],
        ...['POST /api/v1/sessions/{id}/questions/{questionId}', 'GET /api/v1/sessions/{id}/diff'],
        ...['POST /api/v1/sessions/{id}/undo', 'GET /api/v1/repositories', 'GET /api/v1/blobs/{hash}'],
        ...['GET /api/v1/usage', 'GET /healthz', 'GET /readyz', 'GET /metrics'],
      ]),
    )
  })

  test('names every type of file that an export can be', async () => {
    const { json } = await me.ask('POST', '/api/v1/conversations', { initialMessage: 'word' })
    const path = '/api/v1/conversations/{id}/export'
    const described = operations().find((one) => one.method === 'GET' && one.path === path)?.operation
    for (const format of ['md', 'json', 'txt', 'html', 'jsonl']) {
      const { headers } = await me.ask('HEAD', `/api/v1/conversations/${json.id}/export?format=${format}`)
      const [type = ''] = String(headers['content-type']).split(';')
      expect(Object.keys(described?.responses['200']?.content ?? {})).toContain(type)
    }
  })

  test('says what real answers look like', async () => {
    const at = (id: string, rest = '') => `/api/v1/conversations/${id}${rest}`
    const made = await me.ask('POST', '/api/v1/conversations', { title: 't', initialMessage: 'word', description: 'd' })
    const { id } = made.json
    await expectDescribed({ method: 'POST', path: '/api/v1/conversations' }, made)
    const bytes = { 'content-type': 'application/octet-stream' }
    const asked: [string, string, string, unknown?, { [name: string]: string }?][] = [
      ['GET', '/api/v1/conversations', '/api/v1/conversations?limit=1'],
      ['GET', '/api/v1/conversations/{id}', at(id)],
      ['PATCH', '/api/v1/conversations/{id}', at(id), { tags: ['x'] }],
      [
        'POST',
        '/api/v1/conversations/{id}/messages',
        at(id, '/messages'),
        { clientId: '1', role: 'user', content: 'c' },
      ],
      ['GET', '/api/v1/conversations/{id}/messages', at(id, '/messages')],
      ['POST', '/api/v1/conversations/{id}/fork', at(id, '/fork'), { seq: 2 }],
      ['POST', '/api/v1/conversations/{id}/summaries', at(id, '/summaries')],
      ['GET', '/api/v1/conversations/{id}/summaries', at(id, '/summaries')],
      ['GET', '/api/v1/conversations/{id}/context', at(id, '/context')],
      ['GET', '/api/v1/search', '/api/v1/search?q=word'],
      ['GET', '/api/v1/sessions', '/api/v1/sessions'],
      ['POST', '/api/v1/sessions', '/api/v1/sessions', { repo: '/nowhere' }],
      ['POST', '/api/v1/sessions/{id}/interrupt', `/api/v1/sessions/${id}/interrupt`],
      ['GET', '/api/v1/repositories', '/api/v1/repositories'],
      ['POST', '/api/v1/blobs', '/api/v1/blobs', Buffer.from('x'), bytes],
      ['GET', '/api/v1/usage', '/api/v1/usage'],
      ['GET', '/api/v1/auth/me', '/api/v1/auth/me'],
      ['GET', '/api/v1/tokens', '/api/v1/tokens'],
      ['POST', '/api/v1/tokens', '/api/v1/tokens', { label: 'l', scopes: ['read'] }],
      ['GET', '/healthz', '/healthz'],
      ['GET', '/readyz', '/readyz'],
      ['DELETE', '/api/v1/conversations/{id}/messages/{seq}', at(id, '/messages/2')],
      ['DELETE', '/api/v1/conversations/{id}', at(id)],
      ['GET', '/api/v1/conversations/{id}', at(id)],
    ]
    for (const [method, path, real, body, headers] of asked) {
      await expectDescribed({ method, path }, await me.ask(method, real, body, headers))
    }
  })

  test('and whatever is sent to any route, the answer is one of those that are described, and none is a 5xx', async () => {
    const strange = ['', '0', '-1', '\u0000', '%', "'", '1e999', 'x'.repeat(2_000), '😀', 'null', '[]']
    const bodies = [undefined, '', '{}', '[]', 'null', '{"a":', '"x"', '1e999', JSON.stringify(hostileBody())]
    for (const { path, method, operation } of operations()) {
      // These end the key that asks, or begin what ends.
      if (/logout|tokens/.test(path)) continue
      const query = operation.parameters.filter((one) => one.in === 'query')
      for (const [n, value] of strange.entries()) {
        const real = path.replaceAll(/\{\w+\}/g, encodeURIComponent(value === '' ? 'x' : value))
        const words = query.map(
          ({ name }) => `${name}=${encodeURIComponent(strange[(n + name.length) % strange.length] ?? '')}`,
        )
        const body = method === 'GET' || method === 'DELETE' ? undefined : bodies[n % bodies.length]
        const answer = await me.ask(method, `${real}?${words.join('&')}`, body)
        expect(answer.status, `${method} ${real}?${words.join('&')} ${body}`).toBeLessThan(500)
        await expectDescribed({ path, method }, answer)
      }
    }
  })
})

/** Every field that any route knows, with a value that fits none of them well. */
function hostileBody(): Schema {
  const odd: Json[] = [null, -1, 1e308, '\u0000\ud800', [], {}, true, [[[[]]]], { $ref: 1 }]
  const names = Object.values(api.components.schemas).flatMap(({ properties = {} }) =>
    Object.keys(properties as object),
  )
  return Object.fromEntries([...new Set(names)].map((name, n) => [name, odd[n % odd.length] ?? null]))
}
