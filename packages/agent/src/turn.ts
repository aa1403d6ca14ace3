import { type Failure, type ModelEvent, type ModelRequest, type Part, type Stop, spillParts } from '@maru/protocol'
import type { SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { toModelMessages } from './request.ts'

/** One model request, from `turn-start` to `turn-end` or `turn-fail`. */
export async function runTurn(
  deps: SessionDeps,
  { id, ledger, signal }: { id: string; ledger: Ledger; signal: AbortSignal },
): Promise<{ stop: Stop } | { failure: Failure }> {
  const { settings, hash, live, blobs } = deps
  const turnId = deps.newId()
  const steered = ledger.work.inputs.filter(({ delivery }) => delivery === 'steer').map(({ seq }) => seq)
  const request = await buildRequest(deps, { id, ledger, steered })
  await ledger.append({
    type: 'turn-start',
    turnId,
    runId: ledger.work.run?.runId ?? '',
    ...(steered.length > 0 && { inputs: steered }),
    provider: settings.provider,
    model: settings.model,
    params: { ...request.params },
    requestHash: hash(JSON.stringify(request)),
  })
  const end = await listen(deps, { id, turnId, request, signal }).catch(brokenProvider)
  const parts = await spillParts(ownCallIds(end.parts, turnId), id, blobs)
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

async function buildRequest(
  { settings, tools, blobs }: SessionDeps,
  { id, ledger, steered }: { id: string; ledger: Ledger; steered: number[] },
): Promise<ModelRequest> {
  const { messages, waiting } = ledger.context
  const inputs = steered.flatMap((seq) => waiting[seq] ?? [])
  const last = messages.at(-1)
  const withSteered =
    inputs.length === 0
      ? messages
      : last?.role === 'user'
        ? [...messages.slice(0, -1), { ...last, parts: [...last.parts, ...inputs] }]
        : [...messages, { seq: 0, role: 'user' as const, parts: inputs }]
  const isFirst = ledger.work.run?.turns === 0
  return {
    model: settings.model,
    system: settings.system,
    tools: tools.list().map(({ spec }) => spec),
    messages: await toModelMessages({ messages: withSteered, waiting }, id, blobs),
    params: { ...settings.params, ...(settings.forceFirstTool && isFirst && { forceTool: true }) },
  }
}

type End = Extract<ModelEvent, { type: 'finish' | 'failure' }>

async function listen(
  { provider, live, onRaw, onRetry }: SessionDeps,
  { id, turnId, request, signal }: { id: string; turnId: string; request: ModelRequest; signal: AbortSignal },
): Promise<End> {
  const offsets = new Map<number, number>()
  const raw = onRaw && ((event: string) => onRaw(turnId, event))
  let end: End | undefined
  for await (const event of provider.stream(request, signal, raw)) {
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
