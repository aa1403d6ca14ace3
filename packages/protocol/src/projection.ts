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
