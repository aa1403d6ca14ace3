import type { Access } from '@maru/protocol'
import { type Decision, decideOne, strictest } from '../decide.ts'
import type { Situation, Verdict } from '../situation.ts'
import { type Ground, matches } from './match.ts'
import type { Rule, RuleLayers } from './rule.ts'

/** A decision and whose it was: a row of the table (`built-in/…`), or a rule (`user/2`, `project/1`, `session/1`). */
export interface Ruling extends Omit<Decision, 'rule' | 'reasonKey'> {
  readonly rule: string
  /** What the table alone says. */
  readonly builtIn: Decision
}

/** A call before it is made. */
export interface Call extends Ground {
  readonly access: readonly Access[]
}

/** Text from outside has come in: what was granted for these is asked again. */
type Tainted = { readonly isTainted?: boolean }

const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * The whole policy: the table, then the user's rules, which may loosen it; then the session's grants; then the project's
 * rules, which only tighten. Pure and total.
 */
export function decideWith(call: Call, situation: Situation & Tainted, layers: RuleLayers): Ruling {
  const byCommand = call.access.some(({ kind }) => kind === 'run')
  const isGranted = byCommand && isWholeCommandGranted(call, layers)
  const rulings = call.access.map((access) => {
    const builtIn = decideOne(access, { byCommand, situation })
    const tight = lastMatch(layers.project, access, call)
    const loose = findLoose({ access, call, layers, builtIn, isGranted, isTainted: situation.isTainted === true })
    return tighten(loose ?? { ...builtIn, builtIn }, tight)
  })
  const builtIn = strictest(rulings.map((ruling) => ruling.builtIn))
  const [first, ...rest] = rulings
  if (!first) return { ...builtIn, builtIn }
  // Of two that are as strict, what a person wrote tells more than the table.
  return rest.reduce((found, next) => {
    if (STRICTNESS[next.verdict] !== STRICTNESS[found.verdict]) {
      return STRICTNESS[next.verdict] > STRICTNESS[found.verdict] ? next : found
    }
    if (isOwn(found) || isOwn(next)) return isOwn(found) ? found : next
    return strictest([found.builtIn, next.builtIn]) === found.builtIn ? found : next
  }, first)
}

const isOwn = ({ rule }: Ruling) => !rule.startsWith('built-in/')

interface Asked {
  access: Access
  call: Call
  layers: RuleLayers
  builtIn: Decision
  isGranted: boolean
  isTainted: boolean
}

// What the user's file and the session say of an access, if they say anything that counts here.
function findLoose({ access, call, layers, builtIn, isGranted, isTainted }: Asked): Ruling | undefined {
  const grant = lastMatch(layers.session, access, call)
  const own = lastMatch(layers.user, access, call)
  const found = grant ? { ...grant, layer: 'session' } : own && { ...own, layer: 'user' }
  if (!found) {
    // A command that is granted as a whole has its way with the network and with plain files.
    const isCovered = isGranted && builtIn.verdict === 'ask' && COVERED.has(builtIn.rule) && !isTainted
    return isCovered ? { ...builtIn, verdict: 'allow', reason: 'the command is granted', builtIn } : undefined
  }
  const { rule, index, layer } = found
  if (rule.decision === 'allow') {
    if (isTainted && SUSPENDED.has(builtIn.rule)) return undefined
    if (builtIn.verdict === 'deny' && !(layer === 'user' && isExact(rule, access))) return undefined
  }
  return rulingOf(rule, `${layer}/${index + 1}`, builtIn)
}

const COVERED = new Set(['built-in/network', 'built-in/command', 'built-in/read'])
const SUSPENDED = new Set(['built-in/network', 'built-in/secret', 'built-in/secret-command', 'built-in/protected'])

// What the table refuses in every mode yields only to the user's own file, and a command there only to its very words.
function isExact({ args, path }: Rule, access: Access): boolean {
  if (access.kind === 'run') return args !== undefined && !args.some((word) => word.includes('*'))
  return path !== undefined
}

function isWholeCommandGranted(call: Call, layers: RuleLayers): boolean {
  return call.access.every((access) => {
    if (access.kind !== 'run' || access.proven === 'read-only') return true
    const found = lastMatch(layers.session, access, call) ?? lastMatch(layers.user, access, call)
    return found?.rule.decision === 'allow'
  })
}

function tighten(ruling: Ruling, tight: Match | undefined): Ruling {
  if (!tight || STRICTNESS[tight.rule.decision] <= STRICTNESS[ruling.verdict]) return ruling
  return rulingOf(tight.rule, `project/${tight.index + 1}`, ruling.builtIn)
}

function rulingOf({ decision, because }: Rule, name: string, builtIn: Decision): Ruling {
  const does: Record<Verdict, string> = { allow: 'allows it', ask: 'asks first', deny: 'denies it' }
  return { verdict: decision, rule: name, reason: because ?? `the rule ${name} ${does[decision]}`, builtIn }
}

interface Match {
  readonly rule: Rule
  readonly index: number
}

function lastMatch(rules: readonly Rule[], access: Access, ground: Ground): Match | undefined {
  const index = rules.findLastIndex((rule) => matches(rule, access, ground))
  const rule = rules[index]
  return rule && { rule, index }
}
