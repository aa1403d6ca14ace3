import type { Decision, JudgedCall } from '@maru/agent'
import { decideWith, NO_RULES, type Rule, type RuleLayers, suggestRules } from '@maru/guard'
import type { Access, Json, Permit } from '@maru/protocol'
import type { Settings } from '../config/settings.ts'

/** What the policy has to know of the place where calls are made. */
export interface PolicyPlace {
  readonly root: string
  readonly home: string | undefined
  readonly settings: Pick<Settings, 'mode' | 'rules'>
  /** Whether commands are held by a sandbox. */
  readonly sandbox: 'full' | 'none'
}

/** Decides about a call by the mode, the rules of both files and what was granted in the session. */
export function judgeCall({ tool, access, grants, isTainted }: JudgedCall, place: PolicyPlace): Decision {
  const { root, home, settings, sandbox } = place
  const call = { tool, access, root, ...(home !== undefined && { home }) }
  // Only what `suggestRules` gave comes back as a grant.
  const layers: RuleLayers = { ...NO_RULES, ...settings.rules, session: grants as unknown as Rule[] }
  const situation = { mode: settings.mode, sandbox, isTainted }
  const { verdict, rule, reason, why } = decideWith(call, situation, layers)
  if (verdict === 'allow') return { verdict, rule, reason, permit: permitOf(access) }
  const allowing = WAYS.find(({ mode }) => decideWith(call, { ...situation, mode }, layers).verdict === 'allow')
  // What a project's rule says, no rule of the user's undoes.
  const byRule = rule.startsWith('project/') ? undefined : 'a rule in your config.json'
  const allowedBy = allowing?.option ?? byRule
  const decision = {
    verdict,
    rule,
    reason,
    ...(why && { why }),
    permit: permitOf(access),
    ...(allowedBy !== undefined && { allowedBy }),
  }
  // What was granted before and is asked again would only be granted again in vain.
  const granted = verdict === 'ask' && !rule.startsWith('project/') && !isTainted ? suggestRules(call, situation) : []
  return granted.length > 0 ? { ...decision, grant: granted as unknown as Json[] } : decision
}

const WAYS = [
  { mode: 'auto', option: '--mode auto' },
  { mode: 'yes', option: '--yes' },
] as const

// What is proven to only read needs no sandbox: there would be nothing for it to hold.
function permitOf(access: readonly Access[]): Permit {
  const hosts = access.flatMap((one) => (one.kind === 'net' ? [one.host] : []))
  const onlyReads = access.every((one) => {
    return one.kind === 'run' ? one.proven === 'read-only' : one.kind === 'read' && one.where !== 'outside'
  })
  return { isConfined: !onlyReads, hosts: [...new Set(hosts)] }
}
