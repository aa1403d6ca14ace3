import { renderResult } from '@maru/agent'
import type { ToolContext } from '@maru/protocol'
import { createTools } from '@maru/tools'

declare const context: ToolContext

const tools = createTools({ root: process.cwd(), environment: process.env })
const readFile = tools.list().find(({ spec }) => spec.name === 'ReadFile')
const prepared = await readFile?.prepare({ path: 'package.json', endLine: 5 }, context)
console.log(prepared?.access) // what a policy judges
const result = await prepared?.run(context)
if (result) console.log(renderResult(result))
await tools.close()
