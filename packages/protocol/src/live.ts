import { Actor } from './actor.ts'
import * as s from './shape.ts'

const offset = s.int(0)

/** What is shown while it happens and never stored. Offsets count UTF-16 units, so that a late joiner can splice. */
export const Live = s.union('type', [
  s.object({ type: s.literal('text-delta'), turnId: s.string(), part: offset, offset, text: s.string() }),
  s.object({ type: s.literal('tool-progress'), callId: s.string(), offset, text: s.string() }),
  s.object({
    type: s.literal('session-state'),
    state: s.oneOf(['starting', 'login', 'trust', 'ready', 'busy', 'needs-input', 'ended']),
    detail: s.optional(s.string()),
  }),
  // The context fills: tokens of the next request, of those that it may have.
  s.object({ type: s.literal('context-level'), tokens: offset, limit: offset }),
  s.object({ type: s.literal('presence'), by: Actor, state: s.oneOf(['here', 'typing', 'gone']) }),
])
export type Live = s.Infer<typeof Live>
export type LiveType = Live['type']

/** What each live event adds to the open turn that a late joiner is given. */
export const LIVE: Record<LiveType, { keep: 'accumulate' | 'latest' | 'none' }> = {
  'text-delta': { keep: 'accumulate' },
  'tool-progress': { keep: 'accumulate' },
  'session-state': { keep: 'latest' },
  'context-level': { keep: 'none' },
  presence: { keep: 'none' },
}
