import { MODE_TABLE, type RuleId, WHY, type WhyCode } from '@maru/guard'
import type { Translator } from '@maru/i18n'
import type { Why } from '@maru/protocol'

/** A decision, as far as it tells why. */
export interface Reasoned {
  readonly rule?: string
  readonly reason: string
  readonly why?: Why
}

/** Why a call was decided so, in the reader's language; what a rule's author wrote stays as it is. */
export function tellReason({ why, rule = '', reason }: Reasoned, t: Translator): string {
  if (!isBuiltIn(rule)) return reason
  if (why && isKnown(why.code)) {
    // Which of the two placeholders a message has differs; those it has not are left aside.
    const tell = t as (key: `why.${WhyCode}`, values: { program: string; what: string }) => string
    return tell(`why.${why.code}`, why)
  }
  return t(`policy.${rule.slice('built-in/'.length) as RowName}`)
}

type RowName = RuleId extends `built-in/${infer Name}` ? Name : never

function isBuiltIn(rule: string): rule is RuleId {
  return MODE_TABLE.some((row) => row.rule === rule)
}

function isKnown(code: string): code is WhyCode {
  return Object.hasOwn(WHY, code)
}
