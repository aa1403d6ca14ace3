// Makes the calls it is given, in a process of its own, and prints what came of them. Then it ends, whatever is running.
import { readFile } from 'node:fs/promises'
import type { Json, ToolContext } from '@maru/protocol'
import { hashOf } from '../../../src/hash.ts'
import { createTools } from '../../../src/index.ts'

const [root = '', calls = '[]'] = process.argv.slice(2)
const tools = createTools({ root, environment: process.env }).list()
const context: ToolContext = {
  callId: 'call',
  signal: new AbortController().signal,
  progress() {},
  ask: async () => ({ kind: 'cancel' }),
  keep: async (content) => {
    // As a store does it.
    const bytes = Buffer.from(content)
    return { hash: hashOf(bytes), bytes: bytes.length }
  },
  kept: async () => undefined,
}
for (const [name, args] of JSON.parse(calls) as [string, Json][]) {
  const tool = tools.find(({ spec }) => spec.name === name)
  const result = await (await tool?.prepare(args, context))?.run(context)
  // Not `resourceUsage`: what that says begins with what the process had that started this one.
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8')) ?? []
  console.log(JSON.stringify({ ...result, megabytes: Math.round(Number(kilobytes) / 1024) }))
}
