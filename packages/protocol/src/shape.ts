/**
 * What a JSON value must look like, as data: one source for the type, the check and whatever else is read from it. Small
 * on purpose, and with nothing to compile: every start and every line of a log pays for it. Fields that a shape does not
 * name are allowed, for a newer version may have written them.
 */
export type Shape<T = unknown> = Node & { readonly type?: T }

type Node =
  | { kind: 'string'; min?: number; max?: number; pattern?: RegExp }
  | { kind: 'number'; isInteger: boolean; min?: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'json' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'one-of'; values: readonly string[] }
  | { kind: 'array'; items: Shape; max?: number }
  | { kind: 'record'; values: Shape }
  // Names and options are found when they are first needed: most shapes never are.
  | { kind: 'object'; fields: Fields; names?: readonly string[] }
  | { kind: 'union'; tag: string; shapes: readonly ObjectShape[]; options?: ReadonlyMap<unknown, Shape> }

/** The values of a shape. */
export type Infer<S> = S extends { readonly type?: infer T } ? T : never

interface Optional<T> {
  readonly optional: Shape<T>
}
export type Fields = { readonly [name: string]: Shape | Optional<unknown> }

type Simplify<T> = { [K in keyof T]: T[K] }
type OptionalNames<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F]
type ObjectOf<F> = Simplify<
  { -readonly [K in Exclude<keyof F, OptionalNames<F>>]: Infer<F[K]> } & {
    -readonly [K in OptionalNames<F>]?: F[K] extends Optional<infer T> ? T : never
  }
>
export type ObjectShape<F extends Fields = Fields> = Shape<ObjectOf<F>> & { readonly fields: F }

export const string = (limits: { min?: number; max?: number; pattern?: RegExp } = {}): Shape<string> => ({
  kind: 'string',
  ...limits,
})
export const number = (): Shape<number> => ({ kind: 'number', isInteger: false })
export const int = (min?: number, max?: number): Shape<number> => ({
  kind: 'number',
  isInteger: true,
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})
export const boolean = (): Shape<boolean> => ({ kind: 'boolean' })
/** Any value that survives JSON; only its presence is checked. */
export const json = <T>(): Shape<T> => ({ kind: 'json' })
export const literal = <const T extends string | number | boolean>(value: T): Shape<T> => ({ kind: 'literal', value })
export const oneOf = <const T extends readonly string[]>(values: T): Shape<T[number]> => ({ kind: 'one-of', values })
export const array = <T>(items: Shape<T>, max?: number): Shape<T[]> => ({
  kind: 'array',
  items,
  ...(max !== undefined && { max }),
})
export const record = <T>(values: Shape<T>): Shape<Record<string, T>> => ({ kind: 'record', values })
/** A field that may be absent, but never undefined. */
export const optional = <T>(shape: Shape<T>): Optional<T> => ({ optional: shape })

export function object<const F extends Fields>(fields: F): ObjectShape<F> {
  return { kind: 'object', fields }
}

/** One of several objects, told apart by what their tag says: a literal, or one of a few words. */
export function union<const O extends readonly ObjectShape[]>(tag: string, shapes: O): Shape<Infer<O[number]>> {
  return { kind: 'union', tag, shapes }
}

function namesOf(shape: Extract<Node, { kind: 'object' }>): readonly string[] {
  shape.names ??= Object.keys(shape.fields)
  return shape.names
}

function optionOf(shape: Extract<Node, { kind: 'union' }>, value: unknown): Shape | undefined {
  const { tag, shapes } = shape
  shape.options ??= new Map(shapes.flatMap((one) => tagsOf(one.fields[tag]).map((word) => [word, one] as const)))
  return isObject(value) ? shape.options.get(value[tag]) : undefined
}

function tagsOf(shape: Fields[string] | undefined): unknown[] {
  if (shape && 'kind' in shape && shape.kind === 'literal') return [shape.value]
  if (shape && 'kind' in shape && shape.kind === 'one-of') return [...shape.values]
  throw new Error('a tag is a literal, or one of a few words')
}

/** Whether a value is of the shape. */
export function fits<T>(shape: Shape<T>, value: unknown): value is T {
  return isOf(shape, value)
}

function isOf(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' && isWithin(value, shape)
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return false
      if (shape.isInteger && !Number.isSafeInteger(value)) return false
      return (shape.min === undefined || value >= shape.min) && (shape.max === undefined || value <= shape.max)
    case 'boolean':
      return typeof value === 'boolean'
    case 'json':
      return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
    case 'literal':
      return value === shape.value
    case 'one-of':
      return typeof value === 'string' && shape.values.includes(value)
    case 'array':
      if (!Array.isArray(value) || (shape.max !== undefined && value.length > shape.max)) return false
      return value.every((item) => isOf(shape.items, item))
    case 'record':
      return isObject(value) && Object.values(value).every((item) => isOf(shape.values, item))
    case 'object':
      return isObject(value) && namesOf(shape).every((name) => fieldFits(shape.fields[name], value, name))
    case 'union': {
      const option = optionOf(shape, value)
      return option !== undefined && isOf(option, value)
    }
    default:
      return shape satisfies never
  }
}

/** Where a value stops being of the shape: the path to the first thing that is wrong. Nothing, if it fits. */
export function misfit(shape: Shape, value: unknown, path: readonly string[] = []): string[] | undefined {
  if (isOf(shape, value)) return undefined
  if (shape.kind === 'array' && Array.isArray(value)) {
    const at = value.findIndex((item) => !isOf(shape.items, item))
    if (at < 0) return [...path]
    return misfit(shape.items, value[at], [...path, String(at)])
  }
  if (shape.kind === 'object' && isObject(value)) {
    const name = namesOf(shape).find((candidate) => !fieldFits(shape.fields[candidate], value, candidate)) ?? ''
    const field = shape.fields[name] as Fields[string]
    return misfit('optional' in field ? field.optional : field, value[name], [...path, name])
  }
  if (shape.kind === 'union' && isObject(value)) {
    const option = optionOf(shape, value)
    return option ? misfit(option, value, path) : [...path, shape.tag]
  }
  return [...path]
}

function fieldFits(field: Fields[string] | undefined, value: { [name: string]: unknown }, name: string): boolean {
  if (field === undefined) return true
  if (!('optional' in field)) return isOf(field, value[name])
  return !(name in value) || isOf(field.optional, value[name])
}

function isWithin(text: string, { min, max, pattern }: Extract<Node, { kind: 'string' }>): boolean {
  if (min !== undefined && text.length < min) return false
  if (max !== undefined && text.length > max) return false
  return pattern === undefined || pattern.test(text)
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
