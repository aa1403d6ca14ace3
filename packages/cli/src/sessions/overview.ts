import { addUsage } from '@maru/agent'
import type { EndReason, Part, Projection, SessionStart, Usage } from '@maru/protocol'

/** What a list shows of a session, and what it is found by. */
export interface Overview {
  /** How it began; of a fork, how the fork did. */
  start?: SessionStart
  startedAt: number
  changedAt: number
  title?: string
  /** What a fork has from its parent, and the first thing that was said in it. */
  inherited?: string
  own?: string
  /** The beginnings of what people said, in order: the first few. */
  said: string[]
  inputs: number
  turns: number
  /** Tokens, by model: prices differ. */
  usage: { [model: string]: Usage }
  /** How the last run ended; absent while one is open, and before the first. */
  reason?: EndReason
  isOpen: boolean
  /** The model of the turn that is under way. */
  model: string
  isMoved: boolean
}

const SAID = 12
const SAID_UNITS = 160

/** Folds a log into the few things that a list needs. */
export const overview: Projection<Overview> = {
  name: 'overview',
  version: 1,
  create: () => ({
    startedAt: 0,
    changedAt: 0,
    said: [],
    inputs: 0,
    turns: 0,
    usage: {},
    isOpen: false,
    model: '',
    isMoved: false,
  }),
  apply(state, record) {
    state.changedAt = record.at
    switch (record.type) {
      case 'session-start': {
        const { type: _type, v: _v, seq: _seq, at, ...start } = record
        state.start = start
        state.startedAt = at
        if (start.forkOf) beginFork(state)
        return
      }
      case 'input-admit':
        state.inputs++
        hear(state, record.parts)
        return
      case 'message-add':
        if (record.role !== 'user') return
        state.inputs++
        hear(state, record.parts)
        return
      case 'title-set':
        state.title = record.title
        return
      case 'run-start':
        state.isOpen = true
        delete state.reason
        return
      case 'run-end':
        state.isOpen = false
        state.reason = record.reason
        return
      case 'turn-start':
        state.model = record.model ?? ''
        return
      case 'turn-end':
        state.turns++
        spend(state, state.model, record.usage)
        return
      case 'context-compact':
        spend(state, record.asked?.model ?? '', record.asked?.usage)
        return
      case 'session-move':
        state.isMoved = true
        return
      default:
      // Nothing else is seen from afar.
    }
  },
}

/** What all its turns used together. */
export function totalUsage({ usage }: Pick<Overview, 'usage'>): Usage {
  const total: Usage = { input: 0, output: 0 }
  for (const one of Object.values(usage)) addUsage(total, one)
  return total
}

/** What a session goes by: its title, else what was said first, in a fork behind its cut. */
export function nameOf({ title, own, inherited, said }: Overview): string {
  return title ?? own ?? inherited ?? said[0] ?? ''
}

function beginFork(state: Overview): void {
  if (state.title !== undefined) state.inherited = state.title
  delete state.title
  delete state.own
}

function hear(state: Overview, parts: Part[]): void {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
  const short = words
    .slice(0, 2 * SAID_UNITS)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, SAID_UNITS)
  const heard = short.replace(/[\ud800-\udbff]$/, '')
  if (heard === '') return
  if (state.start?.forkOf) state.own ??= heard
  if (state.said.length < SAID) state.said.push(heard)
}

function spend(state: Overview, model: string, usage: Usage | undefined): void {
  if (!usage) return
  const known = Object.hasOwn(state.usage, model) ? state.usage[model] : undefined
  const total = known ?? { input: 0, output: 0 }
  addUsage(total, usage)
  state.usage[model] = total
}
