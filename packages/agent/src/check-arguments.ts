import type { Schema, Validator } from '@cfworker/json-schema'
import type { Diagnostic, Json, ToolSpec } from '@maru/protocol'

const validators = new WeakMap<ToolSpec, Validator>()

/** What is wrong with a call's arguments, in words the model can act on. */
export async function checkArguments(spec: ToolSpec, args: Json): Promise<Diagnostic[]> {
  if (typeof args === 'string') {
    return [
      { code: 'invalid-json', message: `the arguments of ${spec.name} are not JSON`, hint: 'send one JSON object' },
    ]
  }
  const validator = validators.get(spec) ?? (await createValidator(spec.schema))
  validators.set(spec, validator)
  const { errors } = validator.validate(args)
  // The first are those of the parts, which say what is wrong; the last only that something is.
  return errors
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    .slice(0, 5)
    .map(({ instanceLocation, error }) => ({
      code: 'invalid-arguments',
      message: `${spec.name}: ${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`,
    }))
}

/** Where a value first breaks a schema, and which of its keywords; nothing where it fits. */
export async function findMisfit(
  schema: { [key: string]: Json },
  value: Json,
): Promise<{ place: string; keyword: string } | undefined> {
  const { errors } = (await createValidator(schema)).validate(value)
  const [first] = [...errors.filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items'), ...errors]
  return first && { place: first.instanceLocation.replace(/^#/, '') || '/', keyword: first.keyword }
}

// Loaded with the first call: a model is asked before anything has to be checked.
async function createValidator(schema: ToolSpec['schema']): Promise<Validator> {
  const json = await import('@cfworker/json-schema')
  return new json.Validator(schema as Schema, '2020-12', false)
}
