import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Step, startScriptedModel } from '@maru/scripted-model'
import { dialectOf } from '../terminal/dialect.ts'
import { type Asked, startGeminiWire } from '../terminal/gemini-wire.ts'
import { COMMANDS, type Exchange, PATCHES, SLOW_STREAM, STREAM, TASK, TURNS, type VendorReport } from './workload.ts'

// A process of its own, so that what the model costs is nobody's: neither the bench's nor that of the agents measured.
const exchanges: Exchange[] = []
const open = new WeakMap<object, Exchange>()

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  const exchange = { receivedAt: clock(), answeredAt: Number.NaN, bodyBytes: Number(request.headers['content-length']) }
  open.set(request, exchange)
  exchanges.push(exchange)
})
subscribe('http.server.response.finish', (message) => {
  const { request } = message as { request: IncomingMessage; response: ServerResponse }
  const exchange = open.get(request)
  if (exchange) exchange.answeredAt = clock()
})

// No word twice: one of the agents takes a text that repeats itself for a loop, and stops.
const longText = Array.from({ length: STREAM.deltas }, (_, at) => `${String(at).padStart(9, 'word-')} `).join('')
// In paragraphs, as answers are.
const slowText = `${'ten chars '.repeat(40)}\n\n`.repeat(SLOW_STREAM.deltas / 40)
const model = await startScriptedModel({ script: ({ view }) => answer(view) })
process.on('message', () => {
  report({ exchanges: exchanges.splice(0), problem: model.problems[0]?.message })
})
process.on('disconnect', () => process.exit())
report({ url: model.url, geminiUrl: await startGeminiWire(answer) })

function report(message: VendorReport): void {
  process.send?.(message)
}

// Monotonic and the same in every process of the machine, unlike performance.now().
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function answer(view: Asked): Step {
  const isAbout = (prompt: string) => view.texts.some((text) => text.includes(prompt))
  const done = view.toolResults.length
  if (isAbout(STREAM.prompt)) return { reply: [{ text: longText }], delivery: { deltaSize: 10, chunk: 'every-event' } }
  if (isAbout(SLOW_STREAM.prompt)) {
    const delivery = { deltaSize: 10, chunk: 'every-event', deltaDelayMs: SLOW_STREAM.deltaDelayMs } as const
    return { reply: [{ text: `${slowText}\n\n${SLOW_STREAM.end}` }], delivery }
  }
  if (isAbout(TURNS.prompt)) {
    return { reply: [done < TURNS.count ? { call: 'ReadFile', args: { path: TURNS.file(done) } } : { text: 'Read.' }] }
  }
  if (isAbout(PATCHES.prompt)) {
    const patch = PATCHES.patch(done)
    return { reply: [done < PATCHES.count ? { call: 'ApplyPatch', args: { patch } } : { text: 'Mended.' }] }
  }
  if (isAbout(COMMANDS.prompt)) {
    const command = COMMANDS.line(done)
    return { reply: [done < COMMANDS.count ? { call: 'RunCommand', args: { command } } : { text: 'Said.' }] }
  }
  // Some agents also have a title made, or a summary: that is no part of the work.
  if (view.tools.length === 0 || !isAbout(TASK.prompt)) return { reply: [{ text: 'A task.' }] }
  const { read, edit, test } = dialectOf(view.tools, process.argv[2] ?? '.')
  const steps: Step[] = [
    { reply: [{ text: 'I will look.' }, read] },
    { reply: [edit] },
    { reply: [test] },
    { reply: [{ text: 'It adds now, and the test passes.' }] },
  ]
  const step = steps[done]
  if (!step) throw new Error(`no step for ${done} results`)
  return step
}
