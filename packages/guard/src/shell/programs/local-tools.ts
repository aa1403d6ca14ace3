import type { Call } from '../call.ts'
import { checks } from './checks.ts'

const INSTALLED = /^(?:\.\/)?(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/([\w-]+)$/
// They are no programs of a project's own.
const OTHERS = /^(?:make|gmake|go|cargo|bun|deno|just|task|cmake|dotnet)$/

/** A tester, builder or checker that is called by the path where a project has it; false where it is none. */
export function judgeLocalTool(call: Call): boolean {
  const name = INSTALLED.exec(call.name)?.[1] ?? ''
  if (!Object.hasOwn(checks, name) || OTHERS.test(name)) return false
  // Whatever it is asked: it is code of the project.
  call.note('check', 'project-script', call.name)
  checks[name]?.({ ...call, name })
  return true
}
