import type { Access } from '@maru/protocol'
import { isInsideGit } from './marks.ts'
import { COLUMNS, columnOf, MODE_TABLE, type RuleId } from './mode-table.ts'
import { tellWhy } from './shell/why.ts'
import type { Situation, Verdict } from './situation.ts'

/** A verdict, the row that gave it, and why: in plain words, and as a key for the catalogue of translations. */
export interface Decision {
  readonly verdict: Verdict
  readonly rule: RuleId
  readonly reason: string
  readonly reasonKey: ReasonKey
  /** What of a command decided, where it was one: for a translation that says as much. */
  readonly why?: { readonly code: string; readonly program: string; readonly what: string }
}

type WordOf<Rule extends RuleId> = Rule extends `built-in/${infer Word}` ? Word : never

/** Names the reason for good: `policy.` and the row's name. */
export type ReasonKey = `policy.${WordOf<RuleId>}`

/** More than this is no small edit. */
const SMALL = { files: 10, lines: 400 }

const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

/** The built-in policy: the strictest verdict over everything that one call would touch. Pure and total. */
export function decide(accesses: readonly Access[], situation: Situation): Decision {
  const byCommand = accesses.some(({ kind }) => kind === 'run')
  const at = { byCommand, situation }
  let heaviest = -1
  let grave: Access[] = []
  for (const access of accesses) {
    const rule = ruleOf(access, byCommand)
    const weight = weightOf({ rule, verdict: verdictOf(rule, situation) })
    if (weight > heaviest) grave = []
    if (weight >= heaviest) grave.push(access)
    heaviest = Math.max(weight, heaviest)
  }
  return strictest(grave.map((access) => decideOne(access, at)))
}

/** What the table says of one access; `byCommand`, whether a command is what makes it. */
export function decideOne(access: Access, at: { byCommand: boolean; situation: Situation }): Decision {
  const decision = byRow(ruleOf(access, at.byCommand), at.situation)
  const why = at.byCommand ? whyOf(access) : undefined
  if (!why) return decision
  // What a command does is told by the command, not by the row.
  return { ...decision, reason: `${tellWhy(why)}; ${decision.reason.slice(decision.reason.indexOf('; ') + 2)}`, why }
}

function whyOf(access: Access): Decision['why'] {
  if (access.kind === 'run') return access.why
  if (!('path' in access)) return undefined
  if (access.where === 'outside') return { code: 'outside', program: '', what: access.path }
  return access.mark === 'secret' ? { code: 'secret-file', program: '', what: access.path } : undefined
}

/** The strictest of the decisions about one call: of two that are as strict, the one about the graver thing. */
export function strictest<D extends Decision>(decisions: readonly D[]): D | Decision {
  const [first, ...rest] = decisions
  if (!first) return byRow('built-in/nothing', { mode: 'ask', sandbox: 'none' })
  return rest.reduce((found, next) => (isWeightier(next, found) ? next : found), first)
}

// Of two about the same thing one is named, always the same one.
function isWeightier(next: Decision, found: Decision): boolean {
  const more = weightOf(next) - weightOf(found)
  return more > 0 || (more === 0 && (found.why === undefined || next.reason < found.reason))
}

function weightOf({ verdict, rule }: Pick<Decision, 'verdict' | 'rule'>): number {
  return STRICTNESS[verdict] * MODE_TABLE.length + (PLACES.get(rule) ?? 0)
}

const PLACES = new Map<RuleId, number>(MODE_TABLE.map(({ rule }, place) => [rule, place]))

// The same few again and again.
const MADE = new Map<string, Decision>()

function byRow(rule: RuleId, situation: Situation): Decision {
  const key = `${rule} ${situation.mode} ${situation.sandbox}`
  const known = MADE.get(key)
  if (known) return known
  const made = makeDecision(rule, situation)
  MADE.set(key, made)
  return made
}

function makeDecision(rule: RuleId, situation: Situation): Decision {
  const verdict = verdictOf(rule, situation)
  const reason = `the call ${rowOf(rule).what}; ${consequence(rule, verdict, situation)}`
  return { verdict, rule, reason, reasonKey: keyOf(rule) }
}

function rowOf(rule: RuleId): (typeof MODE_TABLE)[number] {
  const row = MODE_TABLE[PLACES.get(rule) ?? -1]
  if (!row) throw new Error('a rule without a row in the mode table')
  return row
}

function verdictOf(rule: RuleId, situation: Situation): Verdict {
  // A situation from outside the types is judged like the strictest one that is inside.
  return rowOf(rule).cells[COLUMNS.indexOf(columnOf(situation))] ?? 'deny'
}

function ruleOf(access: Access, byCommand: boolean): RuleId {
  switch (access.kind) {
    case 'read':
      if (access.where === 'outside') return 'built-in/outside'
      if (access.mark === 'secret') return byCommand ? 'built-in/secret-command' : 'built-in/secret'
      return 'built-in/read'
    case 'write':
    case 'create':
    case 'delete':
      if (access.where === 'outside') return 'built-in/outside'
      if (isInsideGit(access.path) && !byCommand) return 'built-in/git'
      if (access.mark === 'protected') return 'built-in/protected'
      if (byCommand) return 'built-in/command'
      return access.kind === 'write' ? 'built-in/edit' : `built-in/${access.kind}`
    case 'reach':
      return access.files > SMALL.files || access.lines > SMALL.lines ? 'built-in/reach' : 'built-in/edit'
    case 'run':
      return RUN_RULES[access.proven]
    case 'net':
      return 'built-in/network'
    case 'foreign-tool':
      return 'built-in/foreign-tool'
    case 'privilege':
      return 'built-in/privilege'
    case 'ask':
      return 'built-in/question'
    case 'process':
      return 'built-in/other'
    default:
      access satisfies never
      return 'built-in/other'
  }
}

const RUN_RULES = {
  'read-only': 'built-in/read-only-command',
  check: 'built-in/test-command',
  effects: 'built-in/command',
  unknown: 'built-in/command',
  irreversible: 'built-in/irreversible',
  hostile: 'built-in/hostile',
  catastrophe: 'built-in/catastrophe',
} as const satisfies Record<Extract<Access, { kind: 'run' }>['proven'], RuleId>

function consequence(rule: RuleId, verdict: Verdict, { mode, sandbox }: Situation): string {
  if (rowOf(rule).cells.every((cell) => cell === verdict))
    return `every mode ${verdict === 'allow' ? 'allows' : 'denies'} it`
  const held = mode === 'auto' ? `${mode} ${sandbox === 'full' ? 'with' : 'without'} a sandbox` : mode
  const does: Record<Verdict, string> = { allow: 'allows it', ask: 'asks first', deny: 'denies it' }
  return `mode ${held} ${does[verdict]}`
}

function keyOf(rule: RuleId): ReasonKey {
  return `policy.${rule.slice('built-in/'.length) as WordOf<RuleId>}`
}
