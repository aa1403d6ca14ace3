import { join } from 'node:path'
import type { Rule } from '@maru/guard'
import type { ConfigProblem } from './problem.ts'
import { readBytes, userFile } from './read-bytes.ts'
import type { ProjectConfig, Shape, UserConfig } from './schema.ts'

/** One config file as found. `config` is absent when the file is, or when it has problems. */
export interface ReadConfigFile<T> {
  readonly file: string
  readonly exists: boolean
  readonly config?: T
  readonly problems: readonly ConfigProblem[]
  /** Others on this machine may read the secrets in it. */
  readonly isExposed: boolean
}

export interface ConfigFiles {
  readonly user: ReadConfigFile<UserConfig>
  readonly project: ReadConfigFile<ProjectConfig>
}

/** Reads both files and judges them; throws nothing that a file could cause. */
export async function readConfigFiles({ home, repo }: { home: string; repo: string }): Promise<ConfigFiles> {
  const [user, project] = await Promise.all([
    readConfigFile(userFile(home), false, async () => (await import('./schema.ts')).userShape),
    readConfigFile(join(repo, 'maru.json'), true, async () => (await import('./schema.ts')).projectShape),
  ])
  return { user: { ...user, isExposed: user.isExposed && holdsSecrets(user.config) }, project }
}

// Most often there is no file: parser and schema are then not even loaded.
async function readConfigFile<T extends { rules?: readonly Rule[] }>(
  file: string,
  isProject: boolean,
  loadShape: () => Promise<Shape<T>>,
): Promise<ReadConfigFile<T>> {
  const read = readBytes(file)
  if (read === undefined) return { file, exists: false, problems: [], isExposed: false }
  if ('reason' in read) return { file, exists: true, problems: [unreadable(file, read.reason)], isExposed: false }
  const isExposed = process.platform !== 'win32' && (read.mode & 0o077) !== 0
  const { parseConfig } = await import('./parse-config.ts')
  const parsed = parseConfig(read.bytes, file, await loadShape())
  if (!('config' in parsed)) return { file, exists: true, problems: parsed.problems, isExposed }
  const problems = await findWrongRules(parsed.config, { file, bytes: read.bytes, isProject })
  if (problems.length > 0) return { file, exists: true, problems, isExposed }
  return { file, exists: true, config: parsed.config, problems, isExposed }
}

async function findWrongRules(
  { rules = [] }: { rules?: readonly Rule[] },
  { file, bytes, isProject }: { file: string; bytes: Uint8Array; isProject: boolean },
): Promise<ConfigProblem[]> {
  if (rules.length === 0) return []
  const { checkRules } = await import('./check-rules.ts')
  return checkRules(rules, { file, text: new TextDecoder().decode(bytes), isProject })
}

function unreadable(file: string, reason: string): ConfigProblem {
  return { file, fault: { kind: 'unreadable', reason } }
}

// A broken file may hold secrets too, but what matters first is that it is broken.
function holdsSecrets(config: UserConfig | undefined): boolean {
  const hasKey = Object.values(config?.keys ?? {}).some((key) => typeof key === 'string')
  return hasKey || Object.values(config?.models ?? {}).some(({ headers }) => headers !== undefined)
}
