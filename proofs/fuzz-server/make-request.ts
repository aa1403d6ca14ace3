import type { Random } from '../../bench/patches/random.ts'
import type { Asked } from './ask.ts'
import { type Maker, makeHostile, makeValue, type Schema } from './make-value.ts'

/** A route as the server itself describes it. */
export interface Operation {
  method: string
  path: string
  isPublic: boolean
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  /** JSON of a schema, bytes, or nothing. */
  body: Schema | 'bytes' | undefined
}

interface Described {
  paths: { [path: string]: { [method: string]: DescribedOperation } }
}

interface DescribedOperation {
  security: unknown[]
  parameters: Operation['parameters']
  requestBody?: { content: { [type: string]: { schema?: Schema } } }
}

export function operationsOf({ paths }: Described): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, parameters, requestBody }]) => {
      const json = requestBody?.content['application/json']?.schema
      return {
        ...{ method: method.toUpperCase(), path, parameters, isPublic: security.length === 0 },
        body: json ?? (requestBody ? ('bytes' as const) : undefined),
      }
    }),
  )
}

/** A request to a route: as it should be, at the edge of that, or worse. */
export function makeRequest(maker: Maker, operation: Operation): Asked {
  const { random, twist } = maker
  const { method, path, parameters, body } = operation
  let target = path
  const query: string[] = []
  for (const { name, in: place, required, schema } of parameters) {
    if (place === 'path') target = target.replace(`{${name}}`, encode(makeValue(maker, schema, name)))
    if (place !== 'query' || !(required || random.chance(0.4))) continue
    const pair = `${name}=${encode(makeValue(maker, schema, name))}`
    query.push(pair, ...(random.chance(twist / 3) ? [pair] : []))
  }
  if (random.chance(twist / 4)) target = bend(target, random)
  const content = body === undefined && random.chance(twist / 4) ? {} : body
  return {
    method: random.chance(twist / 8) ? random.pick(['PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH']) : method,
    path: `${target}${query.length > 0 ? `?${query.join('&')}` : ''}`.slice(0, 12_000),
    ...(content !== undefined && contentOf(maker, content)),
    ...(random.chance(twist + 0.1) && { headers: random.pick(HEADERS) }),
  }
}

const HEADERS: NonNullable<Asked['headers']>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': ['application/json', 'text/html'] },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'if-match': ['"x"', '*'] },
  { 'if-match': 'W/"0"' },
  { range: 'bytes=0-' },
  { range: 'bytes=3-5' },
  { range: 'bytes=99999999999999999999-1' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
  { cookie: ['maru_session=x', 'maru_session=y'] },
  { 'x-maru-door': ['web', 'terminal'] },
  { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'elsewhere.example' },
  { authorization: ['Bearer nothing', 'Basic bm9ib2R5'] },
  { expect: '200-ok' },
  { 'x-http-method-override': 'DELETE' },
]

function contentOf(maker: Maker, schema: Schema | 'bytes'): Pick<Asked, 'body' | 'bytes'> {
  const { random, twist } = maker
  if (schema === 'bytes') return { bytes: bytesOf(random) }
  const body = makeValue(maker, schema)
  if (!random.chance(twist / 4)) return { body }
  const text = JSON.stringify(body)
  return {
    bytes: random.pick([Buffer.from(text.slice(0, text.length / 2)), Buffer.from(`\ufeff${text}`), bytesOf(random)]),
  }
}

function bytesOf(random: Random): Buffer {
  const size = random.pick([0, 1, 100, 5_000, 300_000, 1_500_000])
  return random.pick([
    () => Buffer.alloc(size, 0xff),
    () => Buffer.alloc(size, '['),
    () => Buffer.from(JSON.stringify([{ title: '가져온 것', mapping: makeHostile(random) }])),
    () => Buffer.from(`timestamp,prompt,response\n2026-01-02T03:04:05Z,하나,${'둘'.repeat(random.below(500))}\n`),
    () => Buffer.from('PK\u0003\u0004 not an archive'),
  ])()
}

// What a server that joins or decodes paths carelessly would get wrong.
function bend(path: string, random: Random): string {
  return random.pick([
    `/${path}`,
    `${path}/`,
    `${path}/..`,
    path.replaceAll('/', '//'),
    path.replace('/api/', '/api/%2e%2e/api/'),
    path.replaceAll('/v1/', '%2fv1%2f'),
    path.toUpperCase(),
    `${path};x=1`,
    `${path}%00`,
    `${path}%`,
    `${path}?token=x`,
    `${path}#fragment`,
    `${path}/${'x/'.repeat(200)}`,
  ])
}

/** Percent-encoded as bytes: half a surrogate pair as well. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  let encoded = ''
  for (const byte of Buffer.from(text.slice(0, 3_000))) {
    const letter = String.fromCharCode(byte)
    encoded += /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
  }
  return encoded
}
