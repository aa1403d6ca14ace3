import type { FactOf } from '@maru/protocol'
import type { ContextState } from './context.ts'
import type { Counter } from './count.ts'
import { findStale, listOutputs, type Output, type Stale } from './find-stale.ts'

/** What is to go, and how many tokens that frees. */
export interface PrunePlan {
  fact: Pick<FactOf<'context-prune'>, 'callIds' | 'notes' | 'cuts'>
  freed: number
}

export interface Pressure {
  /** Tokens of the next request, and those that it may have. */
  tokens: number
  limit: number
  /** Everything that can go shall go: there is no more room. */
  isUrgent: boolean
}

// A prune breaks the vendor's cache from there on, so it must free a good share, all at once.
const WORTH_SHARE = 0.2
const WORTH_TOKENS = 1_000
// Or what is sent anew must be little beside what is freed: then it can be done at once.
const CHEAP_RATIO = 2
// What stands in place of an output takes this much.
const NOTE_TOKENS = 45
// The newest outputs, as a share of the limit, are never long past.
const RECENT_SHARE = 0.3
const PAST_FROM = 0.5
const FRESH_TURNS = 6

/** Decides which outputs to take out, if any: in batches, or at once where that costs next to nothing. */
export function planPrune(state: ContextState, counter: Counter, pressure: Pressure): PrunePlan | undefined {
  const outputs = listOutputs(state)
  // What the model has not seen yet is not taken from it.
  const unseen = state.messages.length - 1
  const weigh = (stale: Stale): Candidate => {
    const { output } = stale
    const cut = stale.why === 'rewritten' ? counter.ofParts([output.call]) - NOTE_TOKENS : 0
    return { ...stale, freed: counter.ofParts(resultParts(state, output)) - NOTE_TOKENS + Math.max(0, cut) }
  }
  const stale = findStale(state, outputs)
    .map(weigh)
    .filter(({ freed, output }) => freed > 0 && output.at < unseen)
  const isFresh = ({ output, why }: Candidate) => why === 'edited' && output.at >= unseen - 2 * FRESH_TURNS
  const batch = [
    ...stale.filter((one) => pressure.isUrgent || !isFresh(one)),
    ...past(state, { outputs, stale, counter, pressure }),
  ]
  const freed = sum(batch)
  const worth = pressure.isUrgent ? 1 : Math.max(WORTH_TOKENS, WORTH_SHARE * pressure.tokens)
  if (freed >= worth) return planOf(state, batch, freed)
  const now = cheapest(
    state,
    stale.filter(({ why }) => why === 'reread' || why === 'rewritten'),
    counter,
  )
  return now.length > 0 ? planOf(state, now, sum(now)) : undefined
}

type Candidate = Omit<Stale, 'why' | 'by'> & { why: Stale['why'] | 'past'; by?: string; freed: number }

const sum = (candidates: readonly Candidate[]) => candidates.reduce((total, { freed }) => total + freed, 0)

function past(
  state: ContextState,
  {
    outputs,
    stale,
    counter,
    pressure,
  }: { outputs: Output[]; stale: Candidate[]; counter: Counter; pressure: Pressure },
): Candidate[] {
  if (!pressure.isUrgent && pressure.tokens < PAST_FROM * pressure.limit) return []
  const gone = new Set([...state.pruned, ...state.pins.callIds, ...stale.map(({ output }) => output.callId)])
  const found: Candidate[] = []
  let recent = 0
  for (const output of outputs.toReversed()) {
    if (gone.has(output.callId)) continue
    const tokens = counter.ofParts(resultParts(state, output))
    recent += tokens
    if (recent <= RECENT_SHARE * pressure.limit || output.at >= state.messages.length - 1) continue
    if (tokens > 2 * NOTE_TOKENS) found.push({ output, why: 'past', freed: tokens - NOTE_TOKENS })
  }
  return found
}

// From the newest back, as long as what is freed is worth what has to be sent anew behind it.
function cheapest(state: ContextState, stale: Candidate[], counter: Counter): Candidate[] {
  let best = 0
  let freed = 0
  let anew = 0
  let from = state.messages.length - 1
  const newestFirst = stale.toReversed()
  for (const [index, candidate] of newestFirst.entries()) {
    for (; from > candidate.output.at; from--) {
      if (from < state.messages.length - 1) anew += counter.ofParts(state.messages[from]?.parts ?? [])
    }
    freed += candidate.freed
    if (freed >= CHEAP_RATIO * Math.max(0, anew - freed) && freed > NOTE_TOKENS) best = index + 1
  }
  return newestFirst.slice(0, best)
}

function resultParts({ messages }: ContextState, { at, result }: Output) {
  const parts = messages[at]?.parts ?? []
  const first = parts.indexOf(result)
  let end = first + 1
  while (parts[end]?.type === 'image') end++
  return parts.slice(first, end)
}

function planOf(_state: ContextState, candidates: readonly Candidate[], freed: number): PrunePlan {
  const notes = Object.fromEntries(candidates.map((one) => [one.output.callId, noteOf(one)]))
  const cuts = candidates.filter(({ why }) => why === 'rewritten').map(({ output }) => output.callId)
  return {
    fact: { callIds: candidates.map(({ output }) => output.callId), notes, ...(cuts.length > 0 && { cuts }) },
    freed,
  }
}

/** The line that stands in place of an output: how it ended, why it went, and where it still is. */
function noteOf({ output, why, path }: Candidate): string {
  const { callId, result } = output
  const ended = result.text.split('\n', 1)[0]?.slice(0, 60) ?? ''
  const kept = `ReadFile "output:${callId}" shows it as it was`
  switch (why) {
    case 'reread':
    case 'rewritten':
      return `[${ended}; removed, as ${path} was read again later: that is how it is now. ${kept}]`
    case 'edited':
      return `[${ended}; removed, as ${path} was changed since: read it again to see how it is now. ${kept}]`
    case 'again':
      return `[${ended}; removed, as the same was called again later. ${kept}]`
    case 'past':
      return `[${ended}; removed to save space. ${kept}]`
    default:
      return why satisfies never
  }
}
