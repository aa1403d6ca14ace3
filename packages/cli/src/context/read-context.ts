import { addUsage, type ContextPortrait, context, describeContext, gauge } from '@maru/agent'
import type { Recorded, RecordedOf, ToolSpec, Usage } from '@maru/protocol'
import { costOf, defaultModelOf, findModel } from '@maru/providers'
import type { LoadedConfig } from '../config/load-config.ts'
import type { OpenSession } from '../session/open-session.ts'
import { contextOf, modelOverrides } from '../session/prepare-deps.ts'

/** One run, as far as its cost goes. */
export interface RunCost {
  runId: string
  task: string
  turns: number
  usage: Usage
  /** Dollars, where the price is known. */
  cost?: number
  reason?: string
}

/** Something that was taken out of the context. */
export type Dropped =
  | { kind: 'pruned'; seq: number; callId: string; tool: string; about: string; note: string; isPinned: boolean }
  | { kind: 'condensed'; seq: number; before: number; tokens?: { before: number; after: number }; summary: string }

export interface SessionContext {
  model: string
  limit: number
  portrait: ContextPortrait
  runs: RunCost[]
  total: { usage: Usage; cost?: number }
  pinned: (string | number)[]
  dropped: Dropped[]
}

/** Reads what fills a session's context, what its runs cost, and what was taken out. */
export async function readContext(
  { log, id, blobs }: OpenSession,
  { settings }: LoadedConfig,
): Promise<SessionContext> {
  const seen = { context: context.create(), gauge: gauge.create() }
  const reader = createReader()
  let prompt: RecordedOf<'prompt-set'> | undefined
  for await (const record of log.read(id)) {
    reader.take(record)
    context.apply(seen.context, record)
    gauge.apply(seen.gauge, record)
    if (record.type === 'prompt-set') prompt = record
  }
  const bytes = prompt && (await blobs.get(id, prompt.blob.hash))
  const told = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as { system: string; tools: ToolSpec[] })
  const model = seen.gauge.model || settings.model || (defaultModelOf(settings.provider) ?? 'default')
  const overrides = modelOverrides(settings.models ?? {})
  const priced = <T extends { usage: Usage }>(one: T, by: string) => {
    const cost = costOf(findModel(by, overrides), one.usage)
    return { ...one, ...(cost !== undefined && { cost }) }
  }
  const runs = reader.runs.map(({ model: by, ...run }) => priced(run, by || model))
  const usage: Usage = { input: 0, output: 0 }
  for (const run of runs) addUsage(usage, run.usage)
  const costs = runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost]))
  const { pins } = seen.context
  return {
    model,
    limit: contextOf(settings, findModel(model, overrides)).limit,
    portrait: describeContext(seen.context, seen.gauge, { model, system: '', tools: [], ...told }),
    runs,
    total: { usage, ...(costs.length === runs.length && { cost: costs.reduce((sum, one) => sum + one, 0) }) },
    pinned: [...pins.callIds, ...pins.seqs],
    dropped: reader.dropped.map((one) =>
      one.kind === 'pruned' ? { ...one, isPinned: pins.callIds.includes(one.callId) } : one,
    ),
  }
}

function createReader() {
  const runs: (RunCost & { model: string })[] = []
  const dropped: Dropped[] = []
  const tasks = new Map<number, string>()
  const calls = new Map<string, { tool: string; about: string }>()
  const spend = (usage: Usage | undefined) => {
    const run = runs.at(-1)
    if (run && usage) addUsage(run.usage, usage)
  }
  const take = (record: Recorded): void => {
    switch (record.type) {
      case 'input-admit': {
        const words = record.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        tasks.set(record.seq, words.join(' ').replaceAll(/\s+/g, ' ').slice(0, 200))
        return
      }
      case 'run-start': {
        const task = tasks.get(record.inputs[0] ?? 0) ?? ''
        runs.push({ runId: record.runId, task, turns: 0, usage: { input: 0, output: 0 }, model: '' })
        return
      }
      case 'turn-start': {
        const run = runs.at(-1)
        if (!run) return
        run.turns++
        run.model = record.model ?? run.model
        return
      }
      case 'turn-end':
        spend(record.usage)
        for (const part of record.parts) if (part.type === 'call') calls.set(part.callId, aboutOf(part.tool, part.args))
        return
      case 'run-end': {
        const run = runs.at(-1)
        if (run) run.reason = record.reason
        return
      }
      case 'context-prune':
        for (const callId of record.callIds) {
          const { tool = '?', about = '' } = calls.get(callId) ?? {}
          const note = record.notes?.[callId] ?? ''
          dropped.push({ kind: 'pruned', seq: record.seq, callId, tool, about, note, isPinned: false })
        }
        return
      case 'context-compact': {
        spend(record.asked?.usage)
        const [first] = record.summary
        const summary = first?.type === 'text' ? first.text : ''
        const { seq, keepFromSeq, tokens } = record
        dropped.push({ kind: 'condensed', seq, before: keepFromSeq, summary, ...(tokens && { tokens }) })
        return
      }
      default:
      // Nothing else fills the context or costs anything.
    }
  }
  return { runs, dropped, take }
}

function aboutOf(tool: string, args: unknown): { tool: string; about: string } {
  const fields = typeof args === 'object' && args !== null ? Object.values(args) : []
  const about = fields.find((value) => typeof value === 'string') ?? ''
  return { tool, about: String(about).replaceAll(/\s+/g, ' ').slice(0, 120) }
}
