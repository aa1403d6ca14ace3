import type { OwnHistory } from '@maru/store'
import type { Throttle } from '../access/throttle.ts'
import type { Agents, Inside } from '../inside.ts'
import type { KeyKeeper } from '../keep/keep-keys.ts'
import type { Metrics } from '../keep/metrics.ts'

/** What handlers work with. */
export interface RouteContext {
  inside: Inside
  agents: Agents
  throttle: Throttle
  keys: KeyKeeper
  metrics: Metrics
  ownOf(owner: string): Promise<OwnHistory>
  /** Somebody asked for a summary: no need to wait for the next look. */
  onJob(): void
}
