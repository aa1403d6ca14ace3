import type { Part } from '@maru/protocol'
import type { GaugeState } from '../tokens/gauge.ts'
import type { ContextState } from './context.ts'
import { countContext, createCounter, type Prompt } from './count.ts'

/** What fills a context, in the order in which it is sent. */
export const CONTEXT_KINDS = ['system', 'tools', 'condensed', 'files', 'outputs', 'talk'] as const
export type ContextKind = (typeof CONTEXT_KINDS)[number]

export interface ContextPortrait {
  /** Of the next request. */
  tokens: number
  shares: { [kind in ContextKind]: number }
}

const FILE_TOOLS = new Set(['ReadFile', 'WriteFile', 'ApplyPatch'])

/** How many tokens each kind of thing takes; together they are what the vendor counts. */
export function describeContext(
  context: ContextState,
  gauge: GaugeState,
  { model, system, tools }: Prompt & { model: string },
): ContextPortrait {
  const counter = createCounter(gauge, model)
  const tokens = countContext(gauge, context, { model, system, tools: () => tools })
  const shares = { system: counter.ofText(system), tools: 0, condensed: 0, files: 0, outputs: 0, talk: 0 }
  shares.tools = tools.length === 0 ? 0 : counter.ofText(JSON.stringify(tools))
  const toolOf = new Map<string, string>()
  for (const { parts, seq } of [...context.messages, ...context.added]) {
    for (const part of parts) {
      if (part.type === 'call') toolOf.set(part.callId, part.tool)
      shares[kindOf(part, { toolOf, isCondensed: isCondensed(context, seq) })] += counter.ofParts([part])
    }
  }
  for (const parts of Object.values(context.waiting)) shares.talk += counter.ofParts(parts)
  const sum = Object.values(shares).reduce((total, share) => total + share, 0)
  const scale = sum > 0 ? tokens / sum : 0
  for (const kind of CONTEXT_KINDS) shares[kind] = Math.round(shares[kind] * scale)
  return { tokens, shares }
}

function kindOf(
  part: Part,
  { toolOf, isCondensed }: { toolOf: ReadonlyMap<string, string>; isCondensed: boolean },
): ContextKind {
  if (part.type !== 'call' && part.type !== 'result') return isCondensed ? 'condensed' : 'talk'
  const tool = part.type === 'call' ? part.tool : (toolOf.get(part.callId) ?? '')
  return FILE_TOOLS.has(tool) ? 'files' : 'outputs'
}

// The first message has the seq of the compaction that made it, which is higher than that of what follows.
function isCondensed({ messages }: ContextState, seq: number): boolean {
  const [first, second] = messages
  return first?.seq === seq && second !== undefined && second.seq < seq
}
