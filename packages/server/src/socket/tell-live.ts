import type { ClientFrame, LiveBus, Problem } from '@maru/protocol'
import { refusal } from '../http/problem.ts'
import type { HeldLease } from './held-leases.ts'

/** Tells of what happens at a runner elsewhere, if it holds the session's lease and stays within bounds; else why not. */
export function tellLive(
  { held, live }: { held: HeldLease | undefined; live: LiveBus },
  frame: Extract<ClientFrame, { type: 'publish' | 'settle' }>,
): Problem | undefined {
  if (!held) return refusal('conflict', `no lease on ${frame.id} is held through this socket`).problem
  if (frame.type === 'publish') {
    const excess = held.budget.spend(frame.live)
    if (excess !== undefined) return refusal('too-large', excess).problem
    live.publish(frame.id, frame.live)
    return undefined
  }
  const { turnId, callId } = frame
  held.budget.settle(frame)
  if (turnId !== undefined) live.settle(frame.id, { turnId })
  if (callId !== undefined) live.settle(frame.id, { callId })
  return undefined
}
