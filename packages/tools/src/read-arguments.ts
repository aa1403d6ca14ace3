import type { Diagnostic, Json } from '@maru/protocol'

/** The part of JSON Schema that our own tools use. */
export type Schema =
  | { type: 'string'; enum?: string[]; minLength?: number; description?: string }
  | { type: 'integer'; minimum?: number; maximum?: number; description?: string }
  | { type: 'boolean'; description?: string }
  | { type: 'array'; items: Schema; minItems?: number; maxItems?: number; description?: string }
  | ObjectSchema

/** A closed object: what it does not name is refused. */
export type ObjectSchema = {
  type: 'object'
  properties: Record<string, Schema>
  required?: string[]
  additionalProperties: false
}

/** Arguments of the shape that `schema` describes, or what is wrong with them. */
export function readArguments<Shape>(
  schema: ObjectSchema,
  args: Json,
): { ok: true; args: Shape } | { ok: false; diagnostic: Diagnostic } {
  const problem = findProblem(schema, args, 'arguments')
  if (problem === undefined) return { ok: true, args: args as Shape }
  return { ok: false, diagnostic: badArguments(problem) }
}

/** What is said about arguments that cannot be used. */
export function badArguments(message: string): Diagnostic {
  return { code: 'bad-arguments', message, hint: "Call again with arguments that fit the tool's schema." }
}

function findProblem(schema: Schema, value: Json | undefined, at: string): string | undefined {
  switch (schema.type) {
    case 'string':
      return findStringProblem(schema, value, at)
    case 'integer':
      return findIntegerProblem(schema, value, at)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${at} has to be true or false.`
    case 'array':
      return findArrayProblem(schema, value, at)
    case 'object':
      return findObjectProblem(schema, value, at)
    default:
      return schema satisfies never
  }
}

type Kind<Type extends Schema['type']> = Extract<Schema, { type: Type }>

function findStringProblem(schema: Kind<'string'>, value: Json | undefined, at: string): string | undefined {
  if (typeof value !== 'string') return `${at} has to be a string.`
  if (schema.enum && !schema.enum.includes(value)) return `${at} has to be one of ${schema.enum.join(', ')}.`
  return value.length < (schema.minLength ?? 0) ? `${at} is empty.` : undefined
}

function findIntegerProblem(schema: Kind<'integer'>, value: Json | undefined, at: string): string | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${at} has to be a whole number.`
  const { minimum = value, maximum = value } = schema
  if (value < minimum) return `${at} has to be at least ${minimum}.`
  return value > maximum ? `${at} has to be at most ${maximum}.` : undefined
}

function findArrayProblem(schema: Kind<'array'>, value: Json | undefined, at: string): string | undefined {
  if (!Array.isArray(value)) return `${at} has to be a list.`
  const { minItems = 0, maxItems = value.length } = schema
  if (value.length < minItems || value.length > maxItems) return `${at} has to have ${minItems} to ${maxItems} items.`
  return first(value.keys(), (index) => findProblem(schema.items, value[index], `${at}[${index}]`))
}

function findObjectProblem(schema: ObjectSchema, value: Json | undefined, at: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at} has to be an object.`
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${at}.${missing} is missing.`
  return first(Object.keys(value), (name) => {
    const inner = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    return inner === undefined ? `${at}.${name} is not known.` : findProblem(inner, value[name], `${at}.${name}`)
  })
}

function first<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
