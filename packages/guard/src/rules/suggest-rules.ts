import type { Access } from '@maru/protocol'
import { type Decision, decideOne } from '../decide.ts'
import type { Situation } from '../situation.ts'
import type { Call } from './decide-with.ts'
import type { Rule } from './rule.ts'

/**
 * The narrowest rules that would let a call like this one pass without a question, in this repository alone. None where
 * there is no narrow one: what cannot be understood, cannot be undone, or would take many.
 */
export function suggestRules(call: Call, situation: Situation): readonly Rule[] {
  const byCommand = call.access.some(({ kind }) => kind === 'run')
  const decisions = call.access.map((access) => decideOne(access, { byCommand, situation }))
  // A command that is granted has its way with the network: it is the command that is granted, not the host.
  const isNetwork = byCommand && decisions.some(({ verdict, rule }) => verdict === 'ask' && rule === NETWORK)
  const rules: Rule[] = []
  for (const [index, access] of call.access.entries()) {
    const decision = decisions[index]
    if (!decision || (isNetwork && decision.rule === NETWORK)) continue
    const isMeant = isNetwork && access.kind === 'run' && access.proven !== 'read-only'
    if (decision.verdict === 'allow' && !isMeant) continue
    const rule = narrowest(access, call, decision)
    if (!rule) return []
    if (!rules.some((known) => JSON.stringify(known) === JSON.stringify(rule))) rules.push(rule)
  }
  return rules.length > MOST_RULES ? [] : rules
}

const MOST_RULES = 3
const NETWORK = 'built-in/network'

function narrowest(access: Access, { tool, root }: Call, { verdict, rule }: Decision): Rule | undefined {
  if (verdict === 'deny' || NEVER_ALWAYS.has(rule)) return undefined
  const frame = { decision: 'allow', in: root } as const
  switch (access.kind) {
    case 'run':
      // A star would stand for anything in a rule; no other sign does.
      if (access.proven === 'unknown' || [access.program, ...access.argv].some((word) => word.includes('*')))
        return undefined
      return { ...frame, program: access.program, args: shapeOf(access.argv) }
    case 'read':
      if (access.path.includes('*')) return undefined
      return { ...frame, path: access.path, use: 'read' }
    case 'write':
    case 'delete':
      if (access.path.includes('*')) return undefined
      return { ...frame, path: access.path, use: 'write' }
    case 'create':
      // The same file is not created twice: its neighbours are what is meant.
      if (access.path.includes('*')) return undefined
      return { ...frame, path: access.path.replace(/[^/]*$/, '*'), use: 'write' }
    case 'net':
      return /[*\s]/.test(access.host) || access.host === '' ? undefined : { ...frame, host: access.host }
    case 'foreign-tool':
      return { ...frame, tool }
    default:
      return undefined
  }
}

const NEVER_ALWAYS = new Set(['built-in/irreversible', 'built-in/reach', 'built-in/other'])

// A message is another each time; everything else is what was approved.
function shapeOf(argv: readonly string[]): string[] {
  return argv.map((word, index) => (/^(-m|--message)$/.test(argv[index - 1] ?? '') ? '*' : word))
}
