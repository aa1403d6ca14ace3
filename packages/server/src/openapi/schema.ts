import type { Json, Shape } from '@maru/protocol'

export type Schema = { [keyword: string]: Json }

/** A shape as JSON Schema (2020-12, which OpenAPI 3.1 speaks). `nameOf` says which shapes stand among the components. */
export function schemaOf(shape: Shape, nameOf: (shape: Shape) => string | undefined = () => undefined): Schema {
  const name = nameOf(shape)
  return name === undefined ? inline(shape, nameOf) : { $ref: `#/components/schemas/${name}` }
}

/** The same where the shape itself is what is described. */
export function inline(shape: Shape, nameOf: (shape: Shape) => string | undefined): Schema {
  const below = (one: Shape) => schemaOf(one, nameOf)
  switch (shape.kind) {
    case 'string':
      return {
        type: 'string',
        ...(shape.min !== undefined && { minLength: shape.min }),
        ...(shape.max !== undefined && { maxLength: shape.max }),
        ...(shape.pattern && { pattern: shape.pattern.source }),
      }
    case 'number':
      return {
        type: shape.isInteger ? 'integer' : 'number',
        ...(shape.min !== undefined && { minimum: shape.min }),
        ...(shape.max !== undefined && { maximum: shape.max }),
      }
    case 'boolean':
      return { type: 'boolean' }
    case 'json':
      return {}
    case 'literal':
      return { const: shape.value }
    case 'one-of':
      return { type: 'string', enum: [...shape.values] }
    case 'array':
      return { type: 'array', items: below(shape.items), ...(shape.max !== undefined && { maxItems: shape.max }) }
    case 'record':
      return { type: 'object', additionalProperties: below(shape.values) }
    case 'object': {
      const fields = Object.entries(shape.fields)
      const required = fields.flatMap(([field, one]) => ('optional' in one ? [] : [field]))
      return {
        type: 'object',
        properties: Object.fromEntries(
          fields.map(([field, one]) => [field, below('optional' in one ? one.optional : one)]),
        ),
        ...(required.length > 0 && { required }),
      }
    }
    case 'union':
      return { oneOf: shape.shapes.map(below) }
    default:
      return shape satisfies never
  }
}
