import { fieldsOf, isFields, listOf } from '../json.ts'

/** Whether OpenAI can hold the model to a schema: each object is closed and each of its properties is required. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (!isFields(schema)) return true
  if (schema['type'] === 'object' || 'properties' in schema) {
    const names = Object.keys(fieldsOf(schema['properties']))
    const required = new Set(listOf(schema['required']))
    if (schema['additionalProperties'] !== false || !names.every((name) => required.has(name))) return false
  }
  // `properties` and `$defs` are named by the user; what they hold are schemas again.
  return Object.values(schema).every((value) => isStrictSchema(value))
}
