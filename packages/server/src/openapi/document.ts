import { Answer, api, BlobRef, Part, Problem, type Shape } from '@maru/protocol'
import type { Route } from '../http/route.ts'
import { inline, type Schema, schemaOf } from './schema.ts'

/** What has a name of its own among the schemas. */
const NAMED: { [name: string]: Shape } = {
  ...{ Answer, BlobRef, Part, Problem },
  ...Object.fromEntries(
    Object.entries(api).filter((entry): entry is [string, (typeof api)['Message']] => typeof entry[1] === 'object'),
  ),
}
const NAMES = new Map(Object.entries(NAMED).map(([name, shape]) => [shape, name]))
const nameOf = (shape: Shape) => NAMES.get(shape as never)

/** The OpenAPI 3.1 description of the API, made from the very table that answers requests. */
export function describeApi(routes: readonly Route[], { version, url }: { version: string; url: string }): Schema {
  const paths: { [path: string]: Schema } = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Maru',
      version,
      description: 'The history and the running agents of one machine. Live updates come over the socket at /ws.',
    },
    servers: [{ url }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(NAMED).map(([name, shape]) => [name, inline(shape, nameOf)])),
      responses: {
        Problem: {
          description: 'It was refused; "code" says why, once and for all',
          content: { 'application/problem+json': { schema: schemaOf(Problem, nameOf) } },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token: maru token create' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'maru_session', description: 'What signing in gives a browser' },
        csrf: { type: 'apiKey', in: 'header', name: 'x-maru-csrf', description: 'With the cookie, on every change' },
      },
    },
  }
}

function operationOf(route: Route): Schema {
  const { method, summary, tag, scope, answers } = route
  const withCookie = method === 'GET' ? { cookie: [] } : { cookie: [], csrf: [] }
  return {
    operationId: operationId(route),
    summary,
    tags: [tag],
    ...(scope !== 'public' && { description: scope === 'any' ? 'Needs any key.' : `Needs the scope "${scope}".` }),
    security: scope === 'public' ? [] : [{ token: [] }, withCookie],
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(route, answer)])),
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function operationId({ method, path }: Route): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'api' && word !== 'v1')
  const name = words.map((word) => word.replace(/^:/, 'by-')).join('-')
  const id = `${method.toLowerCase()}-${name || 'root'}`
  return id.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase())
}

function parametersOf({ params, query, hasVersion, method }: Route): Schema[] {
  const fields = (place: 'path' | 'query') =>
    Object.entries((place === 'path' ? params : query)?.fields ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: !('optional' in field),
      schema: schemaOf('optional' in field ? field.optional : field, nameOf),
    }))
  const isGuarded = hasVersion && (method === 'PATCH' || method === 'DELETE')
  const match = { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } }
  return [...fields('path'), ...fields('query'), ...(isGuarded ? [match] : [])]
}

function requestBodyOf({ body, isBodyOptional = false }: Route): Schema {
  if (body === undefined) return {}
  const content =
    body === 'bytes' ? { 'application/octet-stream': {} } : { 'application/json': { schema: schemaOf(body, nameOf) } }
  return { requestBody: { required: !isBodyOptional, content } }
}

function responseOf({ hasVersion }: Route, answer: Route['answers'][number]): Schema {
  const content =
    'shape' in answer && answer.shape
      ? { 'application/json': { schema: schemaOf(answer.shape, nameOf) } }
      : 'type' in answer
        ? Object.fromEntries([answer.type].flat().map((type) => [type, {}]))
        : undefined
  return {
    description: answer.description,
    ...(hasVersion && content && { headers: { ETag: { schema: { type: 'string' } } } }),
    ...(content && { content }),
  }
}
