import type { DoorIntent } from '../command.ts'
import type { RunnerFact } from '../fact.ts'
import { Live } from '../live.ts'
import type { Change, OpenTurn, SessionInfo, SessionStart } from '../log.ts'
import type { Recorded } from '../record.ts'
import * as s from '../shape.ts'
import type { Problem } from './problem.ts'

/** Names that clients make: of requests, so that an answer finds its question. */
const RequestId = s.string({ min: 1, max: 64 })
// No database takes U+0000 or half a surrogate pair as a name.
const SessionId = s.string({ min: 1, max: 128, pattern: /^[^\0\p{Cs}]+$/u })
const holder = s.object({ epoch: s.int(0), expect: s.int(0) })

/**
 * What a runner that works under a server's log asks of that log. The answer is a `result` or a `refused`, whose code is
 * the log's own (`missing`, `held`, `conflict`, …). A lease outlives its socket for some seconds: a runner that comes back
 * says `renew` with the epoch it had, and goes on, `publish` included.
 */
export const LogCall = s.union('op', [
  s.object({ op: s.literal('create'), id: SessionId, start: s.json<SessionStart>() }),
  // With a key that its client made up, asked again it is the same lease: the first answer may have been lost.
  s.object({ op: s.literal('lease'), id: SessionId, key: s.optional(RequestId) }),
  s.object({ op: s.literal('renew'), id: SessionId, epoch: s.int(0) }),
  s.object({ op: s.literal('release'), id: SessionId, epoch: s.int(0) }),
  s.object({ op: s.literal('append'), id: SessionId, holder, facts: s.array(s.json<RunnerFact>()) }),
  s.object({ op: s.literal('read'), id: SessionId, after: s.int(0) }),
  s.object({ op: s.literal('list'), after: s.optional(SessionId) }),
  s.object({ op: s.literal('erase'), id: SessionId, seq: s.optional(s.int(1)) }),
])
export type LogCall = s.Infer<typeof LogCall>

/** What each call gives back. `read` and `list` give a page: an empty one is the end. */
export interface LogAnswers {
  create: Recorded
  lease: { epoch: number; last: number }
  renew: null
  release: null
  append: Recorded[]
  read: Recorded[]
  list: SessionInfo[]
  erase: null
}

/** Where a client of the socket stands; facts that it admits say so. */
export const SocketDoor = s.oneOf(['web', 'terminal', 'api', 'widget', 'editor'])
export type SocketDoor = s.Infer<typeof SocketDoor>

/** What a client says on `/ws`. */
export const ClientFrame = s.union('type', [
  // Which door this is, said first; or by the header `x-maru-door`. Else `web` for a cookie, `api` for a token.
  s.object({ type: s.literal('door'), door: SocketDoor }),
  // Facts behind `after`, then the open turn so far, then what comes.
  // Again for the same session: anew from there.
  s.object({ type: s.literal('follow'), id: SessionId, after: s.int(0) }),
  s.object({ type: s.literal('unfollow'), id: SessionId }),
  // Whatever changes in any session of mine; without a cursor, from now on.
  s.object({ type: s.literal('watch'), cursor: s.optional(s.string({ max: 256 })) }),
  s.object({ type: s.literal('unwatch') }),
  // The fact's own key makes sending it twice harmless.
  s.object({ type: s.literal('admit'), request: RequestId, session: SessionId, fact: s.json<DoorIntent>() }),
  s.object({ type: s.literal('call'), request: RequestId, call: LogCall }),
  // From whoever holds the lease: live events, and that what they told of has become a fact.
  s.object({ type: s.literal('publish'), id: SessionId, live: Live }),
  s.object({
    type: s.literal('settle'),
    id: SessionId,
    turnId: s.optional(s.string()),
    callId: s.optional(s.string()),
  }),
  s.object({ type: s.literal('ping') }),
])
export type ClientFrame = s.Infer<typeof ClientFrame>

/**
 * What the server says on `/ws`. Facts of a session come in order and once. After `open` the text of the open turn is
 * what it says: it comes when a follow has caught up, and again to a client that was too slow for the live events.
 */
export type ServerFrame =
  | { type: 'hello'; version: string; user: { id: string; name: string }; now: number }
  | { type: 'facts'; id: string; facts: Recorded[] }
  | { type: 'open'; id: string; after: number; open: OpenTurn }
  | { type: 'live'; id: string; live: Live }
  | { type: 'change'; change: Change }
  /** The session was erased, or never was: this follow is over. */
  | { type: 'gone'; id: string; problem?: Problem }
  | { type: 'admitted'; request: string; record: Recorded }
  | { type: 'result'; request: string; value: LogAnswers[LogCall['op']] }
  | { type: 'refused'; request?: string; problem: Problem }
  | { type: 'pong' }
  /** The last frame before the server closes: come back later, or sign in again. */
  | { type: 'bye'; reason: 'shutdown' | 'revoked' | 'too-slow' | 'too-many' }

/** How a socket is closed: 4001 for who is not let in, 4008 for who does not read. */
export const CLOSE = { bye: 1001, unauthorised: 4001, forbidden: 4003, tooSlow: 4008, tooMany: 4029 } as const

/** Longer frames are refused. Content belongs into blobs. */
export const MAX_FRAME_BYTES = 2 * 1024 * 1024
