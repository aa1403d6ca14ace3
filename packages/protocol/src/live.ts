import * as z from 'zod/mini'
import { Actor } from './actor.ts'

const offset = z.int().check(z.nonnegative())

/** What is shown while it happens and never stored. Offsets count UTF-16 units, so that a late joiner can splice. */
export const Live = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text-delta'), turnId: z.string(), part: offset, offset, text: z.string() }),
  z.object({ type: z.literal('tool-progress'), callId: z.string(), offset, text: z.string() }),
  z.object({
    type: z.literal('session-state'),
    state: z.enum(['starting', 'login', 'trust', 'ready', 'busy', 'needs-input', 'ended']),
    detail: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal('presence'), by: Actor, state: z.enum(['here', 'typing', 'gone']) }),
])
export type Live = z.infer<typeof Live>
export type LiveType = Live['type']

/** What each live event adds to the open turn that a late joiner is given. */
export const LIVE: Record<LiveType, { keep: 'accumulate' | 'latest' | 'none' }> = {
  'text-delta': { keep: 'accumulate' },
  'tool-progress': { keep: 'accumulate' },
  'session-state': { keep: 'latest' },
  presence: { keep: 'none' },
}
