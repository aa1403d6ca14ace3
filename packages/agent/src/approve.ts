import type { Permit, Prepared } from '@maru/protocol'
import type { Decision, SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { maskAsked } from './mask.ts'
import { actionKey, type CallState } from './work.ts'

export type Verdict =
  | { verdict: 'go'; permit?: Permit }
  | { verdict: 'no'; code: string; message: string; hint?: string }
  | { verdict: 'stop' }

interface Asking {
  call: CallState
  prepared: Prepared
  ledger: Ledger
  signal: AbortSignal
}

const NOT_AGAIN = 'do not try it in another way; go on without it, or ask what to do instead'

/** Whether a prepared call may run: the policy first, then, where it says so, a person at any door. */
export async function approve(deps: SessionDeps, { call, prepared, ledger, signal }: Asking): Promise<Verdict> {
  const { grants, isTainted } = ledger.work
  const decision = await deps.decide({ tool: call.tool, access: prepared.access, grants, isTainted })
  const { verdict, reason, permit } = decision
  if (verdict === 'deny') return no('denied', `not allowed: ${reason}${wayOut(decision)}`)
  if (verdict === 'allow') return { verdict: 'go', ...(permit && { permit }) }
  const answer = await askPerson(deps, decision, { call, prepared, ledger, signal })
  if (answer === 'nobody') {
    return no('denied', `needs approval and nobody is there to give it: ${reason}${wayOut(decision)}`)
  }
  if (answer === 'late') return no('declined', `nobody answered in time: ${reason}`)
  if (!answer) return { verdict: 'stop' }
  const { option, words } = answer
  if (option === 'always' && decision.grant) await deps.remember?.(decision.grant)
  if (option === 'allow' || option === 'always') return { verdict: 'go', ...(permit && { permit }) }
  return no('declined', words ? `the user declined: ${words}` : 'the user declined')
}

async function askPerson({ settings, hash, masking }: SessionDeps, decision: Decision, asking: Asking) {
  const { call, prepared, ledger, signal } = asking
  // Bound to what would be done, not to the call: something else under the same call is asked again.
  const actionHash = hash(JSON.stringify([call.tool, call.args, prepared.access, prepared.basis]))
  const key = actionKey(call.callId, actionHash)
  if (settings.isUnattended && !ledger.work.approvals[key]) return 'nobody'
  if (call.asked !== actionHash) {
    const { reason, why, rule, grant } = decision
    await ledger.append({
      type: 'approval-ask',
      callId: call.callId,
      source: 'ours',
      actionHash,
      ...maskAsked(prepared, masking?.loaded),
      reason,
      ...(why && { why }),
      rule,
      ...(grant && { grant }),
      options: grant ? ['allow', 'always', 'deny'] : ['allow', 'deny'],
    })
  }
  const late = new AbortController()
  const { approvalMs } = settings
  const timer = approvalMs === undefined ? undefined : setTimeout(() => late.abort(), approvalMs)
  const answer = await ledger.until(() => ledger.work.approvals[key], AbortSignal.any([signal, late.signal]))
  clearTimeout(timer)
  return answer ?? (late.signal.aborted && !signal.aborted ? 'late' : undefined)
}

function no(code: string, message: string): Verdict {
  return { verdict: 'no', code, message, hint: NOT_AGAIN }
}

function wayOut({ allowedBy }: Decision): string {
  return allowedBy === undefined ? '' : ` (${allowedBy} would allow it)`
}
