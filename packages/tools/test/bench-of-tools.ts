import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Answer, Json, Prepared, Question, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { temporaryDirectory } from '@maru/testkit'
import { hashOf } from '../src/hash.ts'
import { createTools } from '../src/index.ts'

/** A workspace in a directory of its own, with a neighbour that nothing may reach. */
export interface Bench {
  /** Holds `root` and `outside`. */
  readonly base: string
  readonly root: string
  readonly outside: string
  put(path: string, content: string | Uint8Array): Promise<string>
  tool(name: string): Tool
  prepare(name: string, args: Json, context?: Partial<ToolContext>): Promise<Prepared>
  call(name: string, args: Json, context?: Partial<ToolContext>): Promise<ToolResult>
  dispose(): Promise<void>
}

export async function openBench(environment: Record<string, string | undefined> = process.env): Promise<Bench> {
  const { path, dispose } = await temporaryDirectory()
  const base = await realpath(path)
  const root = join(base, 'repo')
  const outside = join(base, 'outside')
  await mkdir(root)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'kept from you\n')
  const tools = createTools({ root, environment })
  const list = tools.list()
  const tool = (name: string) => {
    const found = list.find(({ spec }) => spec.name === name)
    if (found === undefined) throw new Error(`no tool ${name}`)
    return found
  }
  const prepare: Bench['prepare'] = (name, args, context) => tool(name).prepare(args, contextOf(context))
  return {
    base,
    root,
    outside,
    async put(file, content) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), content)
      return join(root, file)
    },
    tool,
    prepare,
    call: async (name, args, context) => (await prepare(name, args, context)).run(contextOf(context)),
    async dispose() {
      await tools.close()
      await dispose()
    },
  }
}

/** A context in which nobody answers and nothing is kept. */
export function contextOf(own: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: 'call-1',
    signal: new AbortController().signal,
    progress() {},
    ask: async (_question: Question): Promise<Answer> => ({ kind: 'cancel' }),
    keep: async (content) => ({ hash: hashOf(content), bytes: Buffer.byteLength(content) }),
    kept: async () => undefined,
    ...own,
  }
}

/** The codes of a result's diagnostics. */
export function codesOf({ diagnostics = [] }: ToolResult): string[] {
  return diagnostics.map(({ code }) => code)
}
