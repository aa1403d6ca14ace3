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
  const validator = validators.get(spec) ?? (await createValidator(spec))
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

// Loaded with the first call: a model is asked before anything has to be checked.
async function createValidator({ schema }: ToolSpec): Promise<Validator> {
  const json = await import('@cfworker/json-schema')
  return new json.Validator(schema as Schema, '2020-12', false)
}
