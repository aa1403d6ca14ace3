import type { Live, OpenTurn, Recorded } from '@maru/protocol'

/** Puts what happens live in its place among the facts: nothing before what it answers, nothing twice, nothing after its end. */
export interface InTurn {
  /** To be told of each fact once it is shown. */
  fact(record: Recorded): void
  live(event: Live): void
  /** What is under way, whatever was heard of it before. */
  open(turn: OpenTurn): void
}

export function createInTurn(show: (event: Live) => void): InTurn {
  const begun = new Set<string>()
  const ended = new Set<string>()
  const early = new Map<string, Live[]>()
  /** How much of each call's output was shown. */
  const told = new Map<string, number>()
  const showOutput = (event: Extract<Live, { type: 'tool-progress' }>) => {
    const { callId, offset, text } = event
    if (ended.has(callId)) return
    const known = told.get(callId) ?? 0
    const fresh = offset > known ? text : text.slice(known - offset)
    told.set(callId, Math.max(known, offset + text.length))
    if (fresh !== '') show({ ...event, offset: offset + text.length - fresh.length, text: fresh })
  }
  const live = (event: Live) => {
    if (event.type === 'tool-progress') showOutput(event)
    else if (event.type !== 'text-delta') show(event)
    else if (begun.has(event.turnId)) {
      if (!ended.has(event.turnId)) show(event)
    } else {
      const waiting = early.get(event.turnId) ?? []
      early.set(event.turnId, waiting)
      waiting.push(event)
    }
  }
  return {
    fact(record) {
      if (record.type === 'turn-end' || record.type === 'turn-fail') ended.add(record.turnId)
      if (record.type === 'tool-end') {
        ended.add(record.callId)
        told.delete(record.callId)
      }
      if (record.type !== 'turn-start') return
      begun.add(record.turnId)
      for (const event of early.get(record.turnId) ?? []) show(event)
      early.delete(record.turnId)
    },
    live,
    open({ turnId, parts, progress, state }) {
      if (turnId !== undefined) {
        for (const [part, text] of parts.entries()) live({ type: 'text-delta', turnId, part, offset: 0, text })
      }
      for (const [callId, output] of Object.entries(progress)) live({ type: 'tool-progress', callId, ...output })
      if (state) live(state)
    },
  }
}
