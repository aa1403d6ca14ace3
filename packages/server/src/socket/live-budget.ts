import type { Live } from '@maru/protocol'

const PARTS = 1_024
const NAME = 256
const DETAIL = 4_096
const TEXT = 256 * 1024
const TURN_TEXT = 8 * 1024 * 1024
const CALLS = 256

/** How much may be under way in a session of a runner elsewhere: all of it is kept for late joiners. */
export interface LiveBudget {
  /** Why an event is too much; nothing, if it may be told. */
  spend(live: Live): string | undefined
  settle(done: { turnId?: string; callId?: string }): void
  /** What was told of and has not become a fact. */
  open(): ({ turnId: string } | { callId: string })[]
}

export function createLiveBudget(): LiveBudget {
  const calls = new Set<string>()
  let turn: { id: string; text: number } | undefined
  return {
    spend(live) {
      switch (live.type) {
        case 'text-delta': {
          if (live.part >= PARTS || live.turnId.length > NAME || live.text.length > TEXT)
            return 'a piece of text is too long'
          if (turn?.id !== live.turnId) turn = { id: live.turnId, text: 0 }
          turn.text += live.text.length
          return turn.text > TURN_TEXT ? 'the text of this turn is too long' : undefined
        }
        case 'tool-progress':
          if (live.callId.length > NAME || live.text.length > TEXT) return 'a piece of progress is too long'
          // What is under way is kept by this name in an object.
          if (live.callId in {}) return 'no call has this name'
          if (calls.size >= CALLS && !calls.has(live.callId)) return 'too many calls are under way'
          calls.add(live.callId)
          return undefined
        case 'session-state':
          return (live.detail?.length ?? 0) > DETAIL ? 'the detail is too long' : undefined
        case 'presence':
          return live.by.id.length > NAME ? 'the name is too long' : undefined
        case 'context-level':
          return undefined
        default:
          return live satisfies never
      }
    },
    settle({ turnId, callId }) {
      if (callId !== undefined) calls.delete(callId)
      if (turn && turn.id === turnId) turn = undefined
    },
    open: () => [...(turn ? [{ turnId: turn.id }] : []), ...[...calls].map((callId) => ({ callId }))],
  }
}
