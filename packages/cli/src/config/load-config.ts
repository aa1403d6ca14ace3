import type { Translator } from '@maru/i18n'
import type { Environment } from '../environment.ts'
import type { Mode } from './choices.ts'
import { ConfigError } from './config-error.ts'
import { type ConfigFiles, readConfigFiles } from './read-config-files.ts'
import { type ResolvedSettings, resolveSettings, type Settings } from './settings.ts'

/** What both files, the environment and the flags say together. */
export interface LoadedConfig {
  readonly settings: Settings
  readonly sources: ResolvedSettings['sources']
  readonly files: ConfigFiles
  /** Lines a person should see once, in their language. */
  readonly warnings: readonly string[]
  /** The settings with what a session had chosen, which yields to flags, and what is chosen now, which yields to nothing. */
  settingsWith(past: Choice, now: Choice): Settings
}

/** What a person chooses while they work. */
export interface Choice {
  readonly provider?: string
  readonly model?: string
  readonly mode?: Mode
  readonly effort?: string
}

export interface ConfigPlace {
  readonly home: string
  readonly repo: string
  readonly env: Environment
  readonly flags: { readonly [name: string]: unknown }
  readonly t: Translator
}

/** Reads and resolves the configuration, or throws one `ConfigError` with all that is wrong. */
export async function loadConfig({ home, repo, env, flags, t }: ConfigPlace): Promise<LoadedConfig> {
  const files = await readConfigFiles({ home, repo })
  const wrong = [...files.user.problems, ...files.project.problems]
  if (wrong.length > 0) throw new ConfigError(wrong, t)
  const { user, project } = files
  const resolved = resolveSettings({ flags, env, user: user.config ?? {}, project: project.config ?? {} })
  if (resolved.problems.length > 0) throw new ConfigError(resolved.problems, t)
  const warnings = user.isExposed ? [t('config.exposed', { file: user.file })] : []
  const settingsWith = (past: Choice, now: Choice) => {
    const given = Object.entries(flags).filter(([, value]) => value !== undefined)
    const all = { ...past, ...Object.fromEntries(given), ...now, ...(now.mode !== undefined && { yes: false }) }
    return resolveSettings({ flags: all, env, user: user.config ?? {}, project: project.config ?? {} }).settings
  }
  return { settings: resolved.settings, sources: resolved.sources, files, warnings, settingsWith }
}
