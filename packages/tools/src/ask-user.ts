import type { Question, Tool, ToolResult, ToolSpec } from '@maru/protocol'
import { type ObjectSchema, readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'

const schema = {
  type: 'object',
  properties: {
    question: { type: 'string', minLength: 1 },
    options: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: 10 },
    allowFreeText: { type: 'boolean', description: 'Words of their own beside the options' },
  },
  required: ['question'],
  additionalProperties: false,
} satisfies ObjectSchema

const spec: ToolSpec = {
  name: 'AskUser',
  description: 'Asks the person something that only they can decide.',
  schema,
  // One question at a time, and asking again after a crash does no harm.
  effect: 'repeatable',
}

/** The tool that asks the person. A cancelled question is a result that says so. */
export function createAskUser(): Tool {
  return {
    spec,
    async prepare(args) {
      const read = readArguments<Question>(schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      return {
        access: [{ kind: 'ask' }],
        basis: [],
        async run(context): Promise<ToolResult> {
          if (context.signal.aborted) return failure(INTERRUPTED)
          const answer = await context.ask(read.args)
          switch (answer.kind) {
            case 'option':
              return { ok: true, data: { answer: answer.option } }
            case 'words':
              return { ok: true, data: { answer: answer.words } }
            case 'cancel':
              return failure(CANCELLED)
            default:
              return answer satisfies never
          }
        },
      }
    },
  }
}

const CANCELLED = {
  code: 'cancelled',
  message: 'The person did not answer.',
  hint: 'Take the most careful assumption and say which, or stop. Do not ask the same again.',
}
