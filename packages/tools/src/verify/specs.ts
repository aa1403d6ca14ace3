import type { ToolSpec } from '@maru/protocol'
import type { ObjectSchema } from '../read-arguments.ts'

const MAX_TIMEOUT_SEC = 1800

/** What the model is told of the tool that runs tests. */
export const verifySpecs = {
  RunTests: {
    name: 'RunTests',
    description: "Runs the repository's tests (or linter, or type checker) and tells counts and the first failures.",
    schema: {
      type: 'object',
      properties: {
        filter: { type: 'string', minLength: 1, description: 'A test file, or a part of test names' },
        kind: { type: 'string', enum: ['test', 'lint', 'types'], description: 'Default test' },
        path: { type: 'string', minLength: 1, description: 'Directory of the package to check; default: the root' },
        timeoutSec: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_SEC, description: 'Default 600' },
      },
      additionalProperties: false,
    },
    effect: 'once',
  },
} satisfies Record<string, ToolSpec & { schema: ObjectSchema }>
