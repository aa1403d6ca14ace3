import type { Sleep } from './player.ts'
import type { Delivery, Script } from './script.ts'

export type ScriptedModelOptions = {
  readonly script: Script
  /** How replies travel unless their step says otherwise. */
  readonly delivery?: Delivery
  /** The one key accepted; any non-empty one unless given. */
  readonly key?: string
  /** A free one unless given. */
  readonly port?: number
  /** The models listed; when given, a request for another is answered with 404. */
  readonly models?: readonly string[]
  /** Unix seconds wherever a vendor puts a time. */
  readonly createdAt?: number
  readonly sleep?: Sleep
  /** Milliseconds since the epoch, for `ReceivedRequest.time`. */
  readonly now?: () => number
}
