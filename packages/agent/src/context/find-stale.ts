import type { Json, Part } from '@maru/protocol'
import type { ContextState } from './context.ts'

/** A call whose result stands in the context, in the order of the results. */
export interface Output {
  callId: string
  tool: string
  args: Json
  call: Extract<Part, { type: 'call' }>
  result: Extract<Part, { type: 'result' }>
  /** Which message it stands in. */
  at: number
}

/**
 * Why an output may go. `again`: the same was asked again; `reread`: the file was read again; `rewritten`: what an edit showed
 * is in a later reading; `edited`: the file was changed since and not read again.
 */
export interface Stale {
  output: Output
  why: 'again' | 'reread' | 'rewritten' | 'edited'
  /** The path that it is about. */
  path?: string
  /** The call that stands in its place. */
  by: string
}

/** Every call that has its result here. */
export function listOutputs({ messages }: ContextState): Output[] {
  const calls = new Map<string, Extract<Part, { type: 'call' }>>()
  const outputs: Output[] = []
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type === 'call') calls.set(part.callId, part)
      const call = part.type === 'result' ? calls.get(part.callId) : undefined
      if (part.type !== 'result' || !call) continue
      const { callId, tool, args } = call
      outputs.push({ callId, tool, args, call, result: part, at })
    }
  }
  return outputs
}

/** The outputs that something later has made superfluous, oldest first. */
export function findStale(state: ContextState, outputs: readonly Output[]): Stale[] {
  const gone = new Set([...state.pruned, ...state.pins.callIds])
  const stale: Stale[] = []
  const asked = new Map<string, string>()
  const reads = new Map<string, Shown[]>()
  const edits = new Map<string, string>()
  for (const output of outputs.toReversed()) {
    const { callId, result } = output
    const shown = shownBy(output)
    const changed = state.changed[callId]
    const name = nameOf(output)
    if (!gone.has(callId)) {
      const found = supersededBy(output, { name, shown, changed, asked, reads, edits })
      if (found) stale.push({ output, ...found })
    }
    if (shown && result.ok && !state.pruned.includes(callId)) {
      reads.set(shown.path, [...(reads.get(shown.path) ?? []), shown])
    }
    for (const path of changed ?? []) edits.set(path, edits.get(path) ?? callId)
    if (name !== undefined && !asked.has(name)) asked.set(name, callId)
  }
  return stale.toReversed()
}

/** Lines of a file that an output shows. */
interface Shown {
  callId: string
  path: string
  first: number
  last: number
  total: number
}

interface Later {
  name: string | undefined
  shown: Shown | undefined
  changed: string[] | undefined
  asked: ReadonlyMap<string, string>
  reads: ReadonlyMap<string, Shown[]>
  edits: ReadonlyMap<string, string>
}

function supersededBy(
  _output: Output,
  { name, shown, changed, asked, reads, edits }: Later,
): Omit<Stale, 'output'> | undefined {
  if (shown) {
    const { path } = shown
    const reread = reads.get(path)?.find((later) => covers(later, shown))
    if (reread) return { why: 'reread', path, by: reread.callId }
    const edit = edits.get(path)
    return edit === undefined ? undefined : { why: 'edited', path, by: edit }
  }
  if (changed) {
    const whole = changed.map((path) => reads.get(path)?.find(({ first, last, total }) => first <= 1 && last >= total))
    const [first] = whole
    return first && whole.every(Boolean) ? { why: 'rewritten', path: first.path, by: first.callId } : undefined
  }
  const again = name === undefined ? undefined : asked.get(name)
  return again === undefined ? undefined : { why: 'again', by: again }
}

// Lines may have moved: a reading of the whole file stands for any part of it.
function covers(later: Shown, earlier: Shown): boolean {
  if (later.first <= 1 && later.last >= later.total) return true
  return later.first <= earlier.first && later.last >= earlier.last && later.total === earlier.total
}

// Each says something new whenever it is asked, or is an act and no question.
const NEVER_AGAIN = new Set(['CommandOutput', 'AskUser', 'WriteFile', 'ApplyPatch'])

// The whole list comes with each call, whatever is in it.
const WHOLE_EACH_TIME = new Set(['TodoList'])

const names = new WeakMap<Part, string>()

function nameOf({ tool, args, call }: Output): string | undefined {
  if (NEVER_AGAIN.has(tool)) return undefined
  if (WHOLE_EACH_TIME.has(tool)) return tool
  const name = names.get(call) ?? `${tool} ${JSON.stringify(args)}`
  names.set(call, name)
  return name
}

const SHOWN = /^ok\n(?:[^\n{]*\n)*\{"path":("(?:[^"\\]|\\.)*"),"lines":"(?:(\d+)-(\d+) of (\d+)|empty file)"/

function shownBy({ tool, args, callId, result }: Output): Shown | undefined {
  if (tool !== 'ReadFile') return undefined
  const path = typeof args === 'object' && args !== null && 'path' in args ? args['path'] : undefined
  if (typeof path !== 'string' || path.startsWith('output:')) return undefined
  const [, named, first, last, total] = SHOWN.exec(result.text) ?? []
  // Not told: another tool of this name. A reading without a range is one of the whole.
  if (named === undefined) {
    const isWhole = typeof args === 'object' && args !== null && !('startLine' in args) && !('endLine' in args)
    return { callId, path: plain(path), first: 1, last: isWhole ? 1 : 0, total: 1 }
  }
  return {
    callId,
    path: plain(JSON.parse(named) as string),
    first: Number(first ?? 1),
    last: Number(last ?? 1),
    total: Number(total ?? 1),
  }
}

const plain = (path: string) => path.replace(/^(?:\.\/)+/, '').replaceAll(/\/{2,}/g, '/')
