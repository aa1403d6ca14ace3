import type { Access } from '@maru/protocol'
import { matches } from './match.ts'
import type { Rule } from './rule.ts'

/** What is wrong with a rule beyond its shape. */
export type RuleFault =
  | { readonly kind: 'no-subject' }
  | { readonly kind: 'two-subjects' }
  | { readonly kind: 'loosens' }
  | { readonly kind: 'not-matched' | 'matched'; readonly example: string }

/** Reads a command line as the programs it would run. */
export type ReadCommand = (line: string) => Promise<readonly Access[]> | readonly Access[]

/** Checks a rule against itself: one subject, examples that hold, and in a project's file nothing that loosens. */
export async function findRuleFault(
  rule: Rule,
  { isProject, readCommand }: { isProject: boolean; readCommand: ReadCommand },
): Promise<RuleFault | undefined> {
  const subjects = [rule.program, rule.path, rule.host].filter((subject) => subject !== undefined).length
  if (subjects > 1) return { kind: 'two-subjects' }
  if (subjects === 0 && rule.tool === undefined) return { kind: 'no-subject' }
  if (isProject && rule.decision === 'allow') return { kind: 'loosens' }
  for (const example of rule.examples?.match ?? []) {
    if (!(await matchesExample(rule, example, readCommand))) return { kind: 'not-matched', example }
  }
  for (const example of rule.examples?.not ?? []) {
    if (await matchesExample(rule, example, readCommand)) return { kind: 'matched', example }
  }
  return undefined
}

// An example is what the rule is about: a command line, a path, a host, or the name of a tool.
async function matchesExample(rule: Rule, example: string, readCommand: ReadCommand): Promise<boolean> {
  const root = rule.in ?? '/workspace'
  const ground = { tool: rule.tool ?? 'Example', root }
  if (rule.program !== undefined) {
    return (await readCommand(example)).some((access) => matches(rule, access, ground))
  }
  if (rule.path !== undefined) {
    const kind = rule.use === 'write' ? 'write' : 'read'
    return matches(rule, { kind, path: example, where: 'inside' }, ground)
  }
  if (rule.host !== undefined) return matches(rule, { kind: 'net', host: example }, ground)
  return rule.tool === example
}
