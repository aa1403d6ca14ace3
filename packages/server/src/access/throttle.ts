import type { Access } from '@maru/store'
import { refusal } from '../http/problem.ts'
import type { Limits } from '../ports.ts'
import { networkOf } from './hosts.ts'

/** Pairing codes are short: whatever the number of addresses that guess, this many in a minute are looked at. */
const GUESSES_PER_MINUTE = 20

/** Bounds that hold for all nodes, as they are kept in the database. */
export function createThrottle(access: Access, limits: Limits) {
  const take = async (subject: string, kind: string, perMinute: number) => {
    const seconds = await access.take(subject, kind, { capacity: perMinute, perMinute })
    if (seconds <= 0) return
    const retryAfter = Math.max(1, Math.ceil(seconds))
    throw refusal('too-many', `try again in ${retryAfter} s`, { retryAfter })
  }
  return {
    message: (owner: string) => take(owner, 'message', limits.messagesPerMinute),
    signIn: (address: string) => take(networkOf(address), 'sign-in', limits.attemptsPerMinute),
    async pairing(address: string) {
      await take(networkOf(address), 'sign-in', limits.attemptsPerMinute)
      await take('everybody', 'pairing', GUESSES_PER_MINUTE)
    },
  }
}
export type Throttle = ReturnType<typeof createThrottle>
