import * as s from '../shape.ts'

/** Why a request was refused, as `application/problem+json` and in frames. `code` is stable; `detail` says what to do. */
export const Problem = s.object({
  code: s.string(),
  status: s.int(400),
  title: s.string(),
  detail: s.optional(s.string()),
  /** Seconds after which it may be tried again. */
  retryAfter: s.optional(s.number()),
  /** Where in the request the first wrong thing stands. */
  at: s.optional(s.string()),
})
export type Problem = s.Infer<typeof Problem>
