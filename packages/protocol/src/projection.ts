import type { Recorded } from './record.ts'

/**
 * Something read from a log. `apply` changes a state that only the projection owns (copying would be quadratic), has
 * no clock and throws nothing. The state is plain JSON, so that it can be kept beside the log; `version` changes when
 * its meaning does.
 */
export interface Projection<State> {
  readonly name: string
  readonly version: number
  create(): State
  apply(state: State, record: Recorded): void
}

/** States of projections kept beside a log, so that a long one need not be read whole: a cache, which may be empty. */
export interface StateCache {
  load<State>(id: string, projection: Projection<State>): Promise<{ state: State; seq: number } | undefined>
  /** Kept when the log is let go of, if nothing was written since and it is worth it. */
  keep<State>(id: string, projection: Projection<State>, reached: { state: State; seq: number }): void
}
