import type { Question, Tool, ToolResult } from '@maru/protocol'
import { readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { specs } from './specs.ts'

/** The tool that asks the person. A cancelled question is a result that says so. */
export function createAskUser(): Tool {
  return {
    spec: specs.AskUser,
    async prepare(args) {
      const read = readArguments<Question>(specs.AskUser.schema, args)
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
