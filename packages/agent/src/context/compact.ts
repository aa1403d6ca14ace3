import { type FactOf, spillParts } from '@maru/protocol'
import type { SessionDeps } from '../deps.ts'
import { maskSaid } from '../mask.ts'
import { type Asked, askSummary, withinWords } from '../summarise/ask-summary.ts'
import { condense } from './condense.ts'
import { type ContextMessage, splitAt } from './context.ts'
import { type Counter, createCounter } from './count.ts'
import { findLines, namesIn } from './find-names.ts'
import { listOutputs } from './find-stale.ts'
import { type MakingRoom, tokensNow } from './making-room.ts'
import { buildSummaryRequest } from './summary-of-turns.ts'
import { createNoteTaker } from './work-notes.ts'

// Of what the messages may take: the newest turns that stay, and what stands in place of the others.
const KEPT_SHARE = 0.3
const CONDENSED_SHARE = 0.4
// One turn may be larger than all of that: then its largest outputs go as well.
const ONE_TURN_SHARE = 0.55
const SUMMARY_WORDS = 500
const LEAST_ROOM = 600
// Of what it replaces, what is condensed may take so much; its sections are cut to less, for a summary has to fit as well.
const MOST_OF_REPLACED = 0.8
const SECTIONS_OF_REPLACED = 0.7
// Unless room is needed now, they are not cut below this: a past that is so short is left as it is instead.
const GENTLE_ROOM = 4_000
// Tokens: a summary that has less says nothing.
const LEAST_SUMMARY = 40

/** Why and how far: `isUrgent` where the next request does not fit, so that even a short past has to get shorter. */
export interface CompactWish {
  limit: number
  isUrgent?: boolean
  focus?: string
}

/** Condenses everything but the newest turns into one message, by facts; where that would gain too little, nothing is done. */
export async function compact(
  deps: SessionDeps,
  making: MakingRoom,
  { limit, isUrgent = false, focus }: CompactWish,
): Promise<void> {
  const { id, ledger, signal } = making
  const { settings, blobs, provider, hash } = deps
  const counter = createCounter(ledger.gauge, settings.model)
  const tools = deps.tools.list().map(({ spec }) => spec)
  const room = Math.max(LEAST_ROOM, limit - counter.ofPrompt({ system: settings.system, tools }))
  await cutLastTurn(deps, making, { counter, room: ONE_TURN_SHARE * room })
  const before = tokensNow(deps, ledger)
  const { messages } = ledger.context
  // Asked for by hand, some of what is there is condensed, however much more would fit.
  const size = isUrgent ? room : Math.min(room, counter.ofParts(messages.flatMap(({ parts }) => parts)))
  const keepFromSeq = findCut(messages, counter, KEPT_SHARE * size) ?? ledger.last + 1
  const { dropped, kept } = splitAt(messages, keepFromSeq)
  const replaced = counter.ofParts(dropped.flatMap(({ parts }) => parts))
  const most = MOST_OF_REPLACED * replaced
  const condensing = {
    notes: await readNotes(deps, making),
    isDropped: (seq: number) => seq < keepFromSeq && ledger.context.waiting[seq] === undefined,
    room: Math.min(CONDENSED_SHARE * room, Math.max(isUrgent ? 0 : GENTLE_ROOM, SECTIONS_OF_REPLACED * replaced)),
    count: counter.ofText,
    findMissing: (known: string) => findLines(namesIn(kept), dropped, known),
  }
  // Known before a model is asked, so that nobody pays for a summary that is thrown away.
  const summaryRoom = most - counter.ofText(condense({ ...condensing, summary: '', summaryRoom: 0 }))
  if (summaryRoom < LEAST_SUMMARY) return
  const kind = { model: settings.model, room: Math.round(0.6 * limit), words: SUMMARY_WORDS }
  const wish = { ...kind, ...(focus !== undefined && { focus }) }
  const request = await buildSummaryRequest(dropped, wish, { id, blobs })
  const asked = await askSummary(provider, request, signal)
  if (signal.aborted) return
  const text = condense({ ...condensing, summary: summaryIn(asked), summaryRoom })
  const { parts: said } = maskSaid([{ type: 'text', text }], deps.masking?.loaded)
  const summary = await spillParts(said, id, blobs)
  // What stays was counted already: only the difference is an estimate.
  const after = Math.max(0, Math.round(before - replaced + counter.ofText(text)))
  await ledger.append({
    type: 'context-compact',
    keepFromSeq,
    summary,
    tokens: { before, after },
    asked: askedFact(asked, { provider: settings.provider, ...wish, requestHash: hash(JSON.stringify(request)) }),
  })
}

type AskedFact = NonNullable<FactOf<'context-compact'>['asked']>

function askedFact({ usage, stop, failure }: Asked, wish: AskedFact): AskedFact {
  return { ...wish, ...(usage && { usage }), ...(stop && { stop }), ...(failure && { failure }) }
}

function summaryIn({ text, stop, failure }: Asked): string {
  const isCut = text !== '' && (stop === 'length' || stop === 'context-full' || failure !== undefined)
  return `${withinWords(text, SUMMARY_WORDS)}${isCut ? '\n[It was cut off here.]' : ''}`
}

// A turn is kept whole: the cut is in front of what the model said, so that no result loses its call.
function findCut(messages: readonly ContextMessage[], counter: Counter, room: number): number | undefined {
  let found: number | undefined
  let tokens = 0
  for (const [at, { role, parts, seq }] of [...messages.entries()].toReversed()) {
    tokens += counter.ofParts(parts)
    if (tokens > room && found !== undefined) break
    if (role === 'assistant' && at > 0) found = seq
    if (tokens > room && found !== undefined) break
  }
  return found
}

/** Everything that the log says of the work so far. */
async function readNotes({ log, hash }: SessionDeps, { id, ledger }: MakingRoom) {
  const taker = createNoteTaker(hash, ledger.context.pins)
  for await (const record of log.read(id)) {
    if (record.seq > ledger.last) break
    taker.take(record)
  }
  return taker.notes
}

// The results that the model has not seen yet may not fit by themselves: the largest are shown by their name alone.
async function cutLastTurn(
  deps: SessionDeps,
  { ledger }: MakingRoom,
  { counter, room }: { counter: Counter; room: number },
): Promise<void> {
  const { messages } = ledger.context
  const last = messages.length - 1
  const outputs = listOutputs(ledger.context)
    .filter(({ at, callId }) => at === last && !ledger.context.pins.callIds.includes(callId))
    .map(({ callId, result }) => ({ callId, result, tokens: counter.ofParts([result]) }))
    .toSorted((a, b) => b.tokens - a.tokens)
  let tokens = counter.ofParts(messages[last]?.parts ?? [])
  const notes: { [callId: string]: string } = {}
  for (const { callId, result, tokens: size } of outputs) {
    if (tokens <= room || size < 200) break
    const ended = result.text.split('\n', 1)[0]?.slice(0, 60)
    notes[callId] =
      `[${ended}; too long for the context. Read it in parts: ReadFile "output:${callId}" with startLine and endLine]`
    tokens -= size - 60
  }
  const callIds = Object.keys(notes)
  if (callIds.length === 0) return
  const before = tokensNow(deps, ledger)
  const freed = outputs.filter(({ callId }) => callIds.includes(callId)).reduce((sum, one) => sum + one.tokens - 60, 0)
  await ledger.append({
    type: 'context-prune',
    callIds,
    notes,
    tokens: { before, after: Math.max(0, Math.round(before - freed)) },
  })
}
