import type { Random } from '../../bench/patches/random.ts'

/** As much of JSON Schema as the API's description uses. */
export interface Schema {
  $ref?: string
  type?: string
  properties?: { [name: string]: Schema }
  required?: string[]
  additionalProperties?: Schema
  items?: Schema
  maxItems?: number
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface Maker {
  random: Random
  /** How likely each value is not what the schema wants, or only just. */
  twist: number
  /** A word that fits a name: an id that exists, a cursor that was given. */
  known(name: string): unknown
  resolve(ref: string): Schema
}

const DEEPEST = 6
const LONG = 70_000

/** A value of a schema, or one beside it. */
export function makeValue(maker: Maker, schema: Schema, name = '', depth = 0): unknown {
  const { random, twist } = maker
  if (random.chance(twist)) return random.chance(0.5) ? makeEdge(maker, schema) : makeHostile(random)
  if (schema.$ref !== undefined) return makeValue(maker, maker.resolve(schema.$ref), name, depth)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.oneOf) return makeValue(maker, random.pick(schema.oneOf), name, depth)
  switch (schema.type) {
    case 'object':
      return makeObject(maker, schema, depth)
    case 'array': {
      const { items = {} } = schema
      const count = depth > DEEPEST ? 0 : random.below(4)
      return Array.from({ length: count }, () => makeValue(maker, items, name, depth + 1))
    }
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number': {
      const known = maker.known(name)
      return typeof known === 'number' ? known : (schema.minimum ?? 0) + random.below(20)
    }
    case 'string': {
      const known = maker.known(name)
      return typeof known === 'string' ? known : makeWords(random, schema)
    }
    default:
      return random.pick<unknown>([null, 1, 'json', [], { a: [1, { b: 'c' }] }])
  }
}

function makeObject(maker: Maker, schema: Schema, depth: number): { [name: string]: unknown } {
  const { random, twist } = maker
  const { properties = {}, required = [], additionalProperties } = schema
  const made: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(properties)) {
    const isWanted = required.includes(name) ? !random.chance(twist / 3) : depth < DEEPEST && random.chance(0.5)
    if (isWanted) made[name] = makeValue(maker, field, name, depth + 1)
  }
  if (additionalProperties && random.chance(0.5)) made['one'] = makeValue(maker, additionalProperties, '', depth + 1)
  if (random.chance(twist)) made[random.pick(['toString', 'constructor', 'by', 'owner', ''])] = makeHostile(random)
  return made
}

const WORDS = ['서버', 'word', '안녕하세요', 'a', '💾', '2026-11-16', 'x y z', "it's", '%', '_', '\\', '"', '--']

function makeWords(random: Random, { minLength = 0, maxLength = 400 }: Schema): string {
  let text = random.pick(WORDS)
  while (random.chance(0.5)) text += ` ${random.pick(WORDS)}`
  return text.slice(0, maxLength).padEnd(minLength, 'x')
}

function makeEdge({ random }: Maker, { type, minLength, maxLength, minimum, maximum, maxItems }: Schema): unknown {
  if (type === 'string') {
    const lengths = [0, (minLength ?? 1) - 1, minLength ?? 0, maxLength ?? 300, (maxLength ?? LONG) + 1]
    return random.pick(['x', '가', '💾']).repeat(Math.min(LONG, Math.max(0, random.pick(lengths))))
  }
  if (type === 'integer' || type === 'number') {
    const ends = [minimum ?? 0, (minimum ?? 0) - 1, maximum ?? 2 ** 31 - 1, (maximum ?? 2 ** 31 - 1) + 1]
    return random.pick([...ends, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -0, 0.5, 1e308])
  }
  if (type === 'array') return Array.from({ length: Math.min((maxItems ?? 1_000) + 1, 2_000) }, () => 'x')
  return random.pick<unknown>([{}, [], '', null, 'unknown'])
}

/** What no schema wants. */
export function makeHostile(random: Random): unknown {
  return random.pick<() => unknown>([
    () => '\0',
    () => 'a\0b',
    () => '\ud800',
    () => `x\udfff${'y'.repeat(random.below(50))}`,
    () => '\uffff\ufeff\u202e\u2028',
    () => 'x'.repeat(LONG),
    () => '가'.repeat(random.below(40_000)),
    () => "'; drop table maru.fact; --",
    () => '../../../../etc/passwd',
    () => '{"$ref":"#"}',
    () => '%00%ff%2e%2e',
    () => Number.MAX_SAFE_INTEGER,
    () => -1,
    () => 1e308,
    () => null,
    () => true,
    () => [],
    () => nested(random.below(120)),
    () => JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}') as unknown,
    () => Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at])),
  ])()
}

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let at = 0; at < depth; at++) value = at % 2 ? [value] : { value }
  return value
}
