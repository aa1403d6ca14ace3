import type { Access } from '@maru/protocol'
import { isInsideGit } from './marks.ts'
import { COLUMNS, columnOf, MODE_TABLE, type RuleId } from './mode-table.ts'
import type { Situation, Verdict } from './situation.ts'

/** A verdict, the row that gave it, and why: in plain words, and as a key for the catalogue of translations. */
export interface Decision {
  readonly verdict: Verdict
  readonly rule: RuleId
  readonly reason: string
  readonly reasonKey: ReasonKey
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
  return strictest(accesses.map((access) => decideOne(access, { byCommand, situation })))
}

/** What the table says of one access; `byCommand`, whether a command is what makes it. */
export function decideOne(access: Access, at: { byCommand: boolean; situation: Situation }): Decision {
  return byRow(ruleOf(access, at.byCommand), at.situation)
}

/** The strictest of the decisions about one call: of two that are as strict, the one about the graver thing. */
export function strictest<D extends Decision>(decisions: readonly D[]): D | Decision {
  const [first, ...rest] = decisions
  if (!first) return byRow('built-in/nothing', { mode: 'ask', sandbox: 'none' })
  return rest.reduce((found, next) => (weightOf(next) >= weightOf(found) ? next : found), first)
}

function weightOf({ verdict, rule }: Decision): number {
  return STRICTNESS[verdict] * MODE_TABLE.length + MODE_TABLE.findIndex((row) => row.rule === rule)
}

function byRow(rule: RuleId, situation: Situation): Decision {
  const row = MODE_TABLE.find((candidate) => candidate.rule === rule)
  if (!row) throw new Error('a rule without a row in the mode table')
  // A situation from outside the types is judged like the strictest one that is inside.
  const verdict = row.cells[COLUMNS.indexOf(columnOf(situation))] ?? 'deny'
  const reason = `the call ${row.what}; ${consequence(rule, verdict, situation)}`
  return { verdict, rule, reason, reasonKey: keyOf(rule) }
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
  catastrophe: 'built-in/catastrophe',
} as const satisfies Record<Extract<Access, { kind: 'run' }>['proven'], RuleId>

function consequence(rule: RuleId, verdict: Verdict, { mode, sandbox }: Situation): string {
  const row = MODE_TABLE.find((candidate) => candidate.rule === rule)
  if (row?.cells.every((cell) => cell === verdict)) return `every mode ${verdict === 'allow' ? 'allows' : 'denies'} it`
  const held = mode === 'auto' ? `${mode} ${sandbox === 'full' ? 'with' : 'without'} a sandbox` : mode
  const does: Record<Verdict, string> = { allow: 'allows it', ask: 'asks first', deny: 'denies it' }
  return `mode ${held} ${does[verdict]}`
}

function keyOf(rule: RuleId): ReasonKey {
  return `policy.${rule.slice('built-in/'.length) as WordOf<RuleId>}`
}
