import type { BlobStore, ModelParams, ModelRequest, Part, Recorded, RecordedOf, ToolSpec } from '@maru/protocol'
import { type ContextState, context, splitAt } from './context/context.ts'
import { buildSummaryRequest } from './context/summary-of-turns.ts'
import { toModelMessages } from './request.ts'
import { addUsage, work } from './work.ts'

/** Where a log first says something that the engine would not have done. */
export interface Difference {
  seq: number
  message: string
}

export interface VerifyDeps {
  id: string
  blobs: BlobStore
  hash(text: string): string
  /** What the adapter makes of the vendor's recorded events of a turn; nothing where they were not kept. */
  adapt?(turn: RecordedOf<'turn-start'>): Promise<Part[] | undefined>
}

/**
 * Walks a session through the engine's own folds, without model or side effects. Every request is built again from the
 * facts before it and must have the hash that was sent; every run, turn and call must go its one way; the vendor's
 * events, where they were kept, must give the parts that were stored.
 */
export async function verifySession(
  records: AsyncIterable<Recorded>,
  deps: VerifyDeps,
): Promise<{ requests: number; adapted: number } | Difference> {
  const checker = createChecker(deps)
  for await (const record of records) {
    const message = await checker.check(record)
    if (message !== undefined) return { seq: record.seq, message }
  }
  return checker.counts
}

function createChecker(deps: VerifyDeps) {
  const seen = { context: context.create(), work: work.create() }
  const counts = { requests: 0, adapted: 0 }
  let prompt: { system: string; tools: ToolSpec[] } | undefined
  let turn: RecordedOf<'turn-start'> | undefined
  const check = async (record: Recorded): Promise<string | undefined> => {
    const wrong = findWrongStep(record, seen.work)
    if (wrong !== undefined) return wrong
    if (record.type === 'context-compact' && record.asked) {
      counts.requests++
      const differs = await checkSummary(record, seen.context, deps)
      if (differs !== undefined) return differs
    }
    context.apply(seen.context, record)
    work.apply(seen.work, record)
    switch (record.type) {
      case 'prompt-set': {
        const text = await readText(deps, record.blob.hash)
        if (text === undefined || deps.hash(text) !== record.hash) return 'the prompt is not the one that was recorded'
        prompt = JSON.parse(text)
        return undefined
      }
      case 'turn-start':
        turn = record
        if (record.requestHash === undefined) return undefined
        counts.requests++
        return checkRequest(record, prompt, { ...deps, messages: seen.context })
      case 'turn-end': {
        const parts = turn && (await deps.adapt?.(turn))
        if (!parts) return undefined
        counts.adapted++
        return sameWords(parts, record.parts) ? undefined : 'the vendor’s events give another turn than the one stored'
      }
      default:
        return undefined
    }
  }
  return { check, counts }
}

async function checkRequest(
  { model = '', params, requestHash }: RecordedOf<'turn-start'>,
  prompt: { system: string; tools: ToolSpec[] } | undefined,
  { id, blobs, hash, messages }: VerifyDeps & { messages: Parameters<typeof toModelMessages>[0] },
): Promise<string | undefined> {
  if (!prompt) return 'a request was made before any prompt was recorded'
  const request: ModelRequest = {
    model,
    system: prompt.system,
    tools: prompt.tools,
    messages: await toModelMessages(messages, id, blobs),
    params: (params ?? {}) as ModelParams,
  }
  return hash(JSON.stringify(request)) === requestHash
    ? undefined
    : 'the facts before it give another request than was sent'
}

async function checkSummary(
  { keepFromSeq, asked }: RecordedOf<'context-compact'>,
  { messages }: ContextState,
  { id, blobs, hash }: VerifyDeps,
): Promise<string | undefined> {
  if (!asked) return undefined
  const request = await buildSummaryRequest(splitAt(messages, keepFromSeq).dropped, asked, { id, blobs })
  return hash(JSON.stringify(request)) === asked.requestHash
    ? undefined
    : 'the facts before it give another request for a summary than was sent'
}

// A run has an end, a turn too, and a call goes from ready over started to ended, once.
function findWrongStep(record: Recorded, { run, turn, calls }: ReturnType<typeof work.create>): string | undefined {
  switch (record.type) {
    case 'run-start':
      return run ? `run ${run.runId} had not ended` : undefined
    case 'run-end': {
      if (run?.runId !== record.runId) return `run ${record.runId} was not running`
      const open = calls.find(({ state }) => state !== 'ended')
      if (open) return `call ${open.callId} had not ended`
      const total = { input: 0, output: 0 }
      addUsage(total, run.usage)
      const isSame = !record.usage || (record.usage.input === total.input && record.usage.output === total.output)
      return isSame ? undefined : 'the usage is not the sum of the turns'
    }
    case 'turn-start': {
      if (!run) return 'a turn outside a run'
      if (turn !== undefined) return `turn ${turn} had not ended`
      const open = calls.find(({ state }) => state !== 'ended')
      return open ? `call ${open.callId} had no result` : undefined
    }
    case 'turn-end':
    case 'turn-fail':
      return turn === record.turnId ? undefined : `turn ${record.turnId} was not under way`
    case 'tool-start':
      return calls.find(({ callId }) => callId === record.callId)?.state === 'ready'
        ? undefined
        : `call ${record.callId} was not ready to start`
    case 'tool-end': {
      const call = calls.find(({ callId }) => callId === record.callId)
      return call && call.state !== 'ended' ? undefined : `call ${record.callId} was not under way`
    }
    default:
      return undefined
  }
}

async function readText({ id, blobs }: VerifyDeps, hash: string): Promise<string | undefined> {
  const bytes = await blobs.get(id, hash)
  return bytes && new TextDecoder().decode(bytes)
}

function sameWords(adapted: Part[], stored: Part[]): boolean {
  return adapted.length === stored.length && adapted.every((part, at) => isSame(part, stored[at]))
}

// The loop renames calls and spills what is long (a request that carried it checks the rest); all else must be equal.
function isSame(adapted: Part, stored: Part | undefined): boolean {
  if (!stored || adapted.type !== stored.type) return false
  const isSpilled = 'blob' in stored && stored.blob !== undefined
  if (adapted.type === 'call' && stored.type === 'call') {
    const isSameCall = adapted.tool === stored.tool && adapted.callId === stored.vendorId
    return isSameCall && (isSpilled || JSON.stringify(adapted.args) === JSON.stringify(stored.args))
  }
  return isSpilled || JSON.stringify(adapted) === JSON.stringify(stored)
}
