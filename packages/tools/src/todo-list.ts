import type { Tool } from '@maru/protocol'
import { readArguments } from './read-arguments.ts'
import { refusal } from './refusal.ts'
import { specs } from './specs.ts'

type Item = { text: string; status: 'pending' | 'doing' | 'done' }

/** The tool that keeps the plan in view. The list is in the call itself; the result is only the count. */
export function createTodoList(): Tool {
  return {
    spec: specs.TodoList,
    async prepare(args) {
      const read = readArguments<{ items: Item[] }>(specs.TodoList.schema, args)
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
