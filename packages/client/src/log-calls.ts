import { type LogAnswers, type LogCall, LogError } from '@maru/protocol'
import { Refusal } from './requests.ts'

/** How a call is made of a server's log: as a `LogError`, if it says no. */
export type CallLog = <Op extends LogCall['op']>(call: Extract<LogCall, { op: Op }>) => Promise<LogAnswers[Op]>

/** Whether the log said no to a call that had been sent before: perhaps because of that one's own effect. */
export function isInDoubt(error: unknown, code: LogError['code']): boolean {
  return error instanceof LogError && error.code === code && error.cause instanceof Refusal && error.cause.sends > 1
}
