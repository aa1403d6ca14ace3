import { join } from 'node:path'
import { checkHouse, describeProblem } from './check-house/check-house.ts'

const problems = await checkHouse(join(import.meta.dirname, '..'))
for (const problem of problems) process.stdout.write(`${describeProblem(problem)}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
