import {
  type FactOf,
  type Failure,
  type ModelEvent,
  type ModelRequest,
  type Part,
  type Stop,
  spillParts,
  type ToolSpec,
} from '@maru/protocol'
import { contextOf } from './context/context.ts'
import type { SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { maskSaid } from './mask.ts'
import { toModelMessages } from './request.ts'

/** One model request, from `turn-start` to `turn-end` or `turn-fail`. */
export async function runTurn(
  given: SessionDeps,
  { id, ledger, signal }: { id: string; ledger: Ledger; signal: AbortSignal },
): Promise<{ stop: Stop } | { failure: Failure }> {
  // What is chosen meanwhile holds from the next turn on: a model, its vendor and its settings are never mixed.
  const deps = { ...given }
  const { hash, live, blobs } = deps
  const specs = deps.tools.list().map(({ spec }) => spec)
  const start = beginTurn(deps, ledger)
  const { turnId } = start
  const request = await buildRequest(deps, specs, { id, ledger, start })
  const unheard = new AbortController()
  const answer = ask(deps, { turnId, request, signal: AbortSignal.any([signal, unheard.signal]) })
  // A request changes nothing, so it is already on its way; nothing of its answer is taken before the log knows of it.
  try {
    // Else it would only leave when everything has been written down: in between, sockets are looked at once.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    await setPrompt(deps, specs, { id, ledger })
    await ledger.append({ ...start, params: { ...request.params }, requestHash: hash(JSON.stringify(request)) })
  } catch (error) {
    unheard.abort()
    throw error
  }
  if (ledger.work.run?.turns === 1) setTimeout(() => deps.tools.warm?.(), 0)
  const end = await listen(deps, { id, turnId, answer }).catch(brokenProvider)
  const said = maskSaid(end.parts, deps.masking?.loaded)
  if (said.isMasked) deps.onSecret?.(turnId)
  const parts = await spillParts(ownCallIds(said.parts, turnId), id, blobs)
  live.settle(id, { turnId })
  if (end.type === 'failure') {
    await ledger.append({
      type: 'turn-fail',
      turnId,
      failure: end.failure,
      parts: parts.filter(({ type }) => type !== 'call'),
    })
    return { failure: end.failure }
  }
  await ledger.append({ type: 'turn-end', turnId, parts, stop: end.stop, ...(end.usage && { usage: end.usage }) })
  return { stop: end.stop }
}

function beginTurn({ settings, newId }: SessionDeps, { work, last }: Ledger): FactOf<'turn-start'> {
  const steered = work.inputs.filter(({ delivery }) => delivery === 'steer').map(({ seq }) => seq)
  return {
    type: 'turn-start',
    turnId: newId(),
    runId: work.run?.runId ?? '',
    seen: last,
    ...(steered.length > 0 && { inputs: steered }),
    provider: settings.provider,
    model: settings.model,
  }
}

async function buildRequest(
  { settings, blobs }: SessionDeps,
  tools: ToolSpec[],
  { id, ledger, start }: { id: string; ledger: Ledger; start: FactOf<'turn-start'> },
): Promise<ModelRequest> {
  const isFirst = ledger.work.run?.turns === 0
  const seen = contextOf(ledger.context, { ...start, seq: ledger.last + 1, at: 0, v: 1 })
  return {
    model: settings.model,
    system: settings.system,
    tools,
    messages: await toModelMessages(seen, id, blobs),
    params: { ...settings.params, ...(settings.forceFirstTool && isFirst && { forceTool: true }) },
  }
}

// What the model is told about itself and its tools, as it is sent, so that the request can be built again.
async function setPrompt(
  { settings, blobs, hash }: SessionDeps,
  tools: ToolSpec[],
  { id, ledger }: { id: string; ledger: Ledger },
): Promise<void> {
  const text = JSON.stringify({ system: settings.system, tools })
  const digest = hash(text)
  if (ledger.work.promptHash === digest) return
  await ledger.append({ type: 'prompt-set', hash: digest, blob: await blobs.put(id, text) })
}

type End = Extract<ModelEvent, { type: 'finish' | 'failure' }>

type Answer = () => AsyncGenerator<ModelEvent>

// A stream begins when it is first read, and this one now.
function ask(
  { provider, onRaw }: SessionDeps,
  { turnId, request, signal }: { turnId: string; request: ModelRequest; signal: AbortSignal },
): Answer {
  const events = provider.stream(request, signal, onRaw && ((event) => onRaw(turnId, event)))[Symbol.asyncIterator]()
  const first = events.next()
  // Thrown again to whoever listens.
  first.catch(() => undefined)
  return async function* () {
    for (let next = await first; next.done !== true; next = await events.next()) yield next.value
  }
}

async function listen(
  { live, onRetry }: SessionDeps,
  { id, turnId, answer }: { id: string; turnId: string; answer: Answer },
): Promise<End> {
  const offsets = new Map<number, number>()
  let end: End | undefined
  for await (const event of answer()) {
    switch (event.type) {
      case 'text-delta': {
        const offset = offsets.get(event.part) ?? 0
        offsets.set(event.part, offset + event.text.length)
        live.publish(id, { type: 'text-delta', turnId, part: event.part, offset, text: event.text })
        break
      }
      case 'retry':
        onRetry?.(event.waitMs, event.failure.message)
        break
      case 'finish':
      case 'failure':
        // The last event, but the stream is read to its end: that is how its connection can be used again.
        end = event
        break
      default:
      // Reasoning and fragments of arguments are not shown while they come; traces are for debugging.
    }
  }
  return end ?? brokenProvider(new Error('the provider said nothing at the end'))
}

// A provider never throws; one that does has a bug, and the session goes on.
function brokenProvider(error: unknown): End {
  const message = error instanceof Error ? error.message : String(error)
  return { type: 'failure', failure: { code: 'protocol', message }, parts: [] }
}

// A vendor's id may come again in another turn, or from another vendor; ours is unique in the session.
function ownCallIds(parts: Part[], turnId: string): Part[] {
  let count = 0
  return parts.map((part) =>
    part.type === 'call' ? { ...part, vendorId: part.callId, callId: `${turnId}_${++count}` } : part,
  )
}
