import { join } from 'node:path'
import { parseConfig } from './parse-config.ts'
import type { ConfigProblem } from './problem.ts'
import { readBytes, userFile } from './read-bytes.ts'
import { type ProjectConfig, projectShape, type Shape, type UserConfig, userShape } from './schema.ts'

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
    readConfigFile(userFile(home), userShape),
    readConfigFile(join(repo, 'maru.json'), projectShape),
  ])
  return { user: { ...user, isExposed: user.isExposed && holdsSecrets(user.config) }, project }
}

async function readConfigFile<T>(file: string, shape: Shape<T>): Promise<ReadConfigFile<T>> {
  const read = await readBytes(file)
  if (read === undefined) return { file, exists: false, problems: [], isExposed: false }
  if ('reason' in read) return { file, exists: true, problems: [unreadable(file, read.reason)], isExposed: false }
  const isExposed = process.platform !== 'win32' && (read.mode & 0o077) !== 0
  const parsed = parseConfig(read.bytes, file, shape)
  if ('config' in parsed) return { file, exists: true, config: parsed.config, problems: [], isExposed }
  return { file, exists: true, problems: parsed.problems, isExposed }
}

function unreadable(file: string, reason: string): ConfigProblem {
  return { file, fault: { kind: 'unreadable', reason } }
}

// A broken file may hold secrets too, but what matters first is that it is broken.
function holdsSecrets(config: UserConfig | undefined): boolean {
  const hasKey = Object.values(config?.keys ?? {}).some((key) => typeof key === 'string')
  return hasKey || Object.values(config?.models ?? {}).some(({ headers }) => headers !== undefined)
}
