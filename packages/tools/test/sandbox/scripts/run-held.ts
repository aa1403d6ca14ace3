// Makes calls with a sandbox, in a process of its own and as whoever it is started: one per line, told by a line each.
import { createInterface } from 'node:readline'
import type { Json, Permit, ToolContext } from '@maru/protocol'
import { hashOf } from '../../../src/hash.ts'
import { createTools, openSandbox } from '../../../src/index.ts'

interface Call {
  name: string
  args: Json
  permit?: Permit
  /** Interrupts it once it has said something. */
  interrupt?: boolean
}

const [root = '', home = '', maruHome = ''] = process.argv.slice(2)
const sandbox = openSandbox({ roots: [root], home, maruHome, environment: process.env })
const tools = createTools({ root, environment: { ...process.env, HOME: home }, sandbox })

for await (const line of createInterface({ input: process.stdin })) {
  const { name, args, permit, interrupt = false }: Call = JSON.parse(line)
  const controller = new AbortController()
  const context: ToolContext = {
    callId: 'call',
    signal: controller.signal,
    progress: () => interrupt && controller.abort(),
    ask: async () => ({ kind: 'cancel' }),
    keep: async (content) => ({ hash: hashOf(Buffer.from(content)), bytes: content.length }),
    kept: async () => undefined,
    ...(permit && { permit }),
  }
  if (name === 'state') console.log(JSON.stringify(await sandbox.state()))
  else {
    const tool = tools.list().find(({ spec }) => spec.name === name)
    console.log(JSON.stringify(await (await tool?.prepare(args, context))?.run(context)))
  }
}
await tools.close()
await sandbox.close()
