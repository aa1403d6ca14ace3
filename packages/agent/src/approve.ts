import type { Prepared } from '@maru/protocol'
import type { SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { actionKey, type CallState } from './work.ts'

export type Verdict =
  | { verdict: 'go' }
  | { verdict: 'no'; code: string; message: string; hint?: string }
  | { verdict: 'stop' }

const NOT_AGAIN = 'do not try it in another way; go on without it, or ask what to do instead'

/** Whether a prepared call may run: the policy first, then, where it says so, a person at any door. */
export async function approve(
  { decide, settings, hash }: SessionDeps,
  { call, prepared, ledger, signal }: { call: CallState; prepared: Prepared; ledger: Ledger; signal: AbortSignal },
): Promise<Verdict> {
  const { verdict, rule, reason } = decide(prepared.access)
  if (verdict === 'deny') return { verdict: 'no', code: 'denied', message: `not allowed: ${reason}`, hint: NOT_AGAIN }
  if (verdict === 'allow') return { verdict: 'go' }
  // Bound to what would be done, not to the call: something else under the same call is asked again.
  const actionHash = hash(JSON.stringify([call.tool, call.args, prepared.access, prepared.basis]))
  const key = actionKey(call.callId, actionHash)
  if (settings.isUnattended && !ledger.work.approvals[key]) {
    const message = `needs approval and nobody is there to give it: ${reason}`
    return { verdict: 'no', code: 'denied', message, hint: NOT_AGAIN }
  }
  if (call.asked !== actionHash) {
    await ledger.append({
      type: 'approval-ask',
      callId: call.callId,
      source: 'ours',
      access: prepared.access,
      actionHash,
      ...(prepared.preview && { preview: prepared.preview }),
      reason,
      rule,
      options: ['allow', 'deny'],
    })
  }
  const answer = await ledger.until(() => ledger.work.approvals[key], signal)
  if (!answer) return { verdict: 'stop' }
  if (answer.option === 'allow') return { verdict: 'go' }
  const message = answer.words ? `the user declined: ${answer.words}` : 'the user declined'
  return { verdict: 'no', code: 'declined', message, hint: NOT_AGAIN }
}
