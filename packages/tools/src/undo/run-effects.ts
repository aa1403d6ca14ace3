import type { FileChange, Hash, Part, Recorded } from '@maru/protocol'

/** What one call did to files: what it says itself, or what snapshots before and after it tell. */
export interface CallEffect {
  callId: string
  tool: string
  files: FileChange[]
  /** Without `after` the call never ended: nobody knows what it did and what others did since. */
  snapshots?: { before: Hash; after?: Hash }
}

/** A run and what it did, as far as it changed anything. */
export interface RunEffects {
  runId: string
  at: number
  /** What it was asked to do. */
  task: string
  effects: CallEffect[]
  /** It was taken back. */
  isUndone: boolean
}

/** Reads from a log what each of its runs did to files, in order. */
export async function readRunEffects(records: AsyncIterable<Recorded>): Promise<RunEffects[]> {
  const runs: RunEffects[] = []
  const inputs = new Map<number, string>()
  const tools = new Map<string, CallEffect>()
  let snapshot: Hash | undefined
  let run: RunEffects | undefined
  for await (const record of records) {
    switch (record.type) {
      case 'input-admit':
        inputs.set(record.seq, textOf(record.parts))
        break
      case 'run-start': {
        const task = record.inputs.map((seq) => inputs.get(seq) ?? '').join('\n')
        run = { runId: record.runId, at: record.at, task, effects: [], isUndone: false }
        runs.push(run)
        break
      }
      case 'checkpoint': {
        const left = record.callId === undefined ? undefined : tools.get(record.callId)?.snapshots
        if (left) left.after = record.id
        if (record.callId === undefined) snapshot = record.id
        break
      }
      case 'tool-start':
        tools.set(record.callId, {
          callId: record.callId,
          tool: record.tool,
          files: [],
          ...(snapshot !== undefined && record.effect !== 'none' && { snapshots: { before: snapshot } }),
        })
        snapshot = undefined
        // One that never ends has done something all the same.
        if (tools.get(record.callId)?.snapshots) run?.effects.push(tools.get(record.callId) as CallEffect)
        break
      case 'tool-end': {
        const effect = tools.get(record.callId)
        if (!effect || !run) break
        const { files = [], snapshots } = record.result
        effect.files = files
        if (snapshots) effect.snapshots = { ...snapshots }
        else if (record.outcome !== 'interrupted') delete effect.snapshots
        if (files.length > 0 && !run.effects.includes(effect)) run.effects.push(effect)
        break
      }
      case 'files-restore':
        // Brought to an earlier state by a person: that can be taken back like a run.
        if (record.runId === undefined) {
          const { seq, at, files } = record
          const effects = [{ callId: `files-${seq}`, tool: '', files }]
          runs.push({ runId: `files-${seq}`, at, task: '', effects, isUndone: false })
        }
        for (const undone of runs.filter(({ runId }) => runId === record.runId)) undone.isUndone = true
        break
      default:
      // Nothing else is about files.
    }
  }
  for (const one of runs) one.effects = one.effects.filter(({ files, snapshots }) => files.length > 0 || snapshots)
  return runs
}

function textOf(parts: Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
}
