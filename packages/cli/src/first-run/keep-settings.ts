import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { changeUserConfig } from '../config/change-user-config.ts'
import { editConfig } from '../config/edit-config.ts'
import { describeFault } from '../config/problem.ts'

interface Setting {
  readonly path: readonly string[]
  readonly value: string
}

/** Writes all of the settings into the user's own file, or none; gives its path. Only its owner can read it. */
export async function keepSettings(invocation: Invocation, settings: readonly Setting[]): Promise<string> {
  const changed = await changeUserConfig(invocation, (text, file) => {
    let edited = text
    for (const { path, value } of settings) {
      // As JSON, so that nothing that was pasted or answered can be taken for more than text.
      const after = editConfig(edited, { file, path, value: JSON.stringify(value) })
      if ('problems' in after) return after
      edited = after.text
    }
    return { text: edited }
  })
  if ('file' in changed) return changed.file
  const [problem] = changed.problems
  throw new CliError('config', problem ? describeFault(invocation.t, problem.fault) : 'config.json')
}
