import type { Shape } from '@maru/protocol'
import type { Schema } from './make-value.ts'

/** A shape of the protocol as a schema to make values from. */
export function schemaOf(shape: Shape): Schema {
  switch (shape.kind) {
    case 'string':
      return { type: 'string', ...limits({ minLength: shape.min, maxLength: shape.max }) }
    case 'number':
      return { type: 'integer', ...limits({ minimum: shape.min, maximum: shape.max }) }
    case 'boolean':
      return { type: 'boolean' }
    case 'json':
      return {}
    case 'literal':
      return { const: shape.value }
    case 'one-of':
      return { enum: [...shape.values] }
    case 'array':
      return { type: 'array', items: schemaOf(shape.items) }
    case 'record':
      return { type: 'object', additionalProperties: schemaOf(shape.values) }
    case 'union':
      return { oneOf: shape.shapes.map(schemaOf) }
    case 'object': {
      const fields = Object.entries(shape.fields)
      return {
        type: 'object',
        properties: Object.fromEntries(
          fields.map(([name, field]) => [name, schemaOf('optional' in field ? field.optional : field)]),
        ),
        required: fields.flatMap(([name, field]) => ('optional' in field ? [] : [name])),
      }
    }
    default:
      return shape satisfies never
  }
}

function limits(given: { [name: string]: number | undefined }): Schema {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
