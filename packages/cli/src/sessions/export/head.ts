import type { Recorded, Usage } from '@maru/protocol'
import { nameOf, overview, totalUsage } from '../overview.ts'

/** What stands above an exported session. */
export interface ExportHead {
  readonly title: string
  readonly startedAt: number
  readonly changedAt: number
  readonly cwd?: string
  /** Whose words they are, where it was not our agent who spoke. */
  readonly program?: string
  readonly forkOf?: { readonly id: string; readonly seq: number }
  readonly models: readonly string[]
  readonly turns: number
  readonly usage: Usage
  /** Messages that were hidden, and the facts that hid them. */
  readonly hidden: ReadonlySet<number>
}

/** Reads a log once through for what must be known before its first line is written. */
export async function readHead(records: AsyncIterable<Recorded>): Promise<ExportHead> {
  const state = overview.create()
  const hidden = new Set<number>()
  for await (const record of records) {
    overview.apply(state, record)
    if (record.type === 'message-hide') hidden.add(record.target).add(record.seq)
  }
  const { startedAt, changedAt, start, turns } = state
  return {
    title: nameOf(state),
    startedAt,
    changedAt,
    ...(start?.cwd !== undefined && { cwd: start.cwd }),
    ...(start?.agent.kind !== 'maru' && start?.agent.program !== undefined && { program: start.agent.program }),
    ...(start?.forkOf && { forkOf: start.forkOf }),
    models: Object.keys(state.usage).filter((model) => model !== ''),
    turns,
    usage: totalUsage(state),
    hidden,
  }
}
