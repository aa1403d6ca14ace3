import { findRuleFault, judgeCommand, type Rule } from '@maru/guard'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { placeOf } from './parse-config.ts'
import type { ConfigProblem } from './problem.ts'

/** What is wrong with the rules of a file whose shape is right: each is checked against itself and its examples. */
export async function checkRules(
  rules: readonly Rule[],
  { file, text, isProject }: { file: string; text: string; isProject: boolean },
): Promise<ConfigProblem[]> {
  const problems: ConfigProblem[] = []
  for (const [index, rule] of rules.entries()) {
    const root = rule.in ?? '/workspace'
    const readCommand = async (line: string) => (await judgeCommand(line, { cwd: root, root })).accesses
    const what = await findRuleFault(rule, { isProject, readCommand })
    if (!what) continue
    const tree = parseTree(text, [], { allowTrailingComma: true })
    const offset = (tree && findNodeAtLocation(tree, ['rules', index]))?.offset ?? 0
    problems.push({ file, ...placeOf(text, offset), fault: { kind: 'wrong-rule', key: `rules.${index + 1}`, what } })
  }
  return problems
}
