import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { ConfigError } from './config-error.ts'
import { parseConfig } from './parse-config.ts'
import type { ConfigProblem } from './problem.ts'
import { readBytes, userFile } from './read-bytes.ts'
import { userShape } from './schema.ts'
import { writePrivateFile } from './write-file.ts'

type Change = (text: string, file: string) => { text: string } | { problems: readonly ConfigProblem[] }

/** Changes the user's own file, which is there whole before and after; gives its path, or what the change did wrong. */
export async function changeUserConfig(
  { home, t }: Pick<Invocation, 'home' | 't'>,
  change: Change,
): Promise<{ file: string } | { problems: readonly ConfigProblem[] }> {
  const file = userFile(home)
  const before = readBytes(file) ?? { bytes: Buffer.from('{}\n'), mode: 0o600 }
  if ('reason' in before) throw new ConfigError([{ file, fault: { kind: 'unreadable', reason: before.reason } }], t)
  const parsed = parseConfig(before.bytes, file, userShape)
  // A file with a mistake is the person's to mend: we would only make it worse.
  if ('problems' in parsed) throw new ConfigError(parsed.problems, t)
  const after = change(new TextDecoder().decode(before.bytes), file)
  if ('problems' in after) return after
  await writePrivateFile(file, after.text).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError('write', t('config.not-written', { file, reason: cause.code ?? cause.message }), { cause })
  })
  return { file }
}
