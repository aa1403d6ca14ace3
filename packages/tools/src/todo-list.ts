import type { Tool, ToolSpec } from '@maru/protocol'
import { type ObjectSchema, readArguments } from './read-arguments.ts'
import { refusal } from './refusal.ts'

const schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1 },
          status: { type: 'string', enum: ['pending', 'doing', 'done'] },
        },
        required: ['text', 'status'],
        additionalProperties: false,
      },
    },
  },
  required: ['items'],
  additionalProperties: false,
} satisfies ObjectSchema

const spec: ToolSpec = {
  name: 'TodoList',
  description: 'Shows the person your plan for a longer task: the whole list each time, at most one item doing.',
  schema,
  effect: 'none',
}

type Item = { text: string; status: 'pending' | 'doing' | 'done' }

/** The tool that keeps the plan in view. The list is in the call itself; the result is only the count. */
export function createTodoList(): Tool {
  return {
    spec,
    async prepare(args) {
      const read = readArguments<{ items: Item[] }>(schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const count = (status: Item['status']) => read.args.items.filter((item) => item.status === status).length
      const data = { pending: count('pending'), doing: count('doing'), done: count('done') }
      if (data.doing > 1) {
        const hint = 'Set all but one of them to pending or done.'
        return refusal({ code: 'too-many-doing', message: `${data.doing} items are doing at once.`, hint })
      }
      return { access: [], basis: [], run: async () => ({ ok: true, data }) }
    },
  }
}
