import { checkBrowserBundles } from './browser-bundles.ts'
import { checkCycles } from './cycle-rule.ts'
import type { Problem } from './house.ts'
import { checkImports } from './import-rules.ts'
import { checkLanguages } from './language-rules.ts'
import { readHouse } from './read-house.ts'
import { checkShapes } from './shape-rules.ts'

/** Everything in the repository under `root` that breaks a rule of the house. */
export async function checkHouse(root: string): Promise<Problem[]> {
  const house = readHouse(root)
  const problems = [
    ...checkImports(house),
    ...checkCycles(house),
    ...checkShapes(house),
    ...checkLanguages(root, house),
  ]
  return [...problems, ...(await checkBrowserBundles(root, house))]
}

/** One line: where, what, and what to do. */
export function describeProblem({ where, what, todo }: Problem): string {
  return `${where} ${what}: ${todo}.`
}
