import type { Rule } from '@maru/guard'
import type { Environment } from '../environment.ts'
import { nearest } from '../nearest.ts'
import { isPlainUrl, MODES, type Mode, PROVIDERS, type Provider } from './choices.ts'
import type { ConfigProblem } from './problem.ts'
import type { Key, ProjectConfig, UserConfig } from './schema.ts'

/** What holds for a run, after flags, environment and files. */
export interface Settings extends Omit<UserConfig, 'lang' | 'rules'>, Omit<ProjectConfig, 'rules'> {
  /** Of both files, where there are any. */
  readonly rules?: { readonly user: readonly Rule[]; readonly project: readonly Rule[] }
  readonly provider: Provider
  readonly keys: { [P in Provider]?: Key }
  readonly mode: Mode
  readonly maxTurns: number
  /** Seconds without an event from the model. */
  readonly idleTimeout: number
}

export type Source = 'flag' | 'environment' | 'user' | 'project' | 'default'

export interface Layers {
  /** Options by their long names, as parsed. */
  readonly flags: { readonly [name: string]: unknown }
  readonly env: Environment
  readonly user: UserConfig
  readonly project: ProjectConfig
}

export interface ResolvedSettings {
  readonly settings: Settings
  /** Where each setting comes from, by its name; a key's by `keys.PROVIDER`. */
  readonly sources: { readonly [name: string]: Source }
  readonly problems: readonly ConfigProblem[]
}

/** The variables that hold a vendor's key and address. */
export const VARIABLES: { readonly [P in Provider]: { readonly key: string; readonly baseUrl: string } } = {
  anthropic: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  openai: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  'openai-chat': { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
}

/** A flag beats the environment, which beats the user's file; a project's file only describes the project. */
export function resolveSettings({ flags, env, user, project }: Layers): ResolvedSettings {
  const problems: ConfigProblem[] = []
  const { lang: _lang, keys: userKeys = {}, baseUrl, rules = [], ...own } = user
  const { rules: projectRules = [], ...described } = project
  const flagged = readFlags(flags, problems)
  const spoken = readEnvironment(env, problems)
  const keys: { [P in Provider]?: Key } = {}
  const sources: Record<string, Source> = {}
  for (const name of PROVIDERS) {
    const key = env[VARIABLES[name].key] || userKeys[name]
    if (!key) continue
    keys[name] = key
    sources[`keys.${name}`] = key === userKeys[name] ? 'user' : 'environment'
  }
  const chosen = flagged.provider ?? spoken.provider ?? own.provider
  const provider = chosen ?? PROVIDERS.find((name) => keys[name]) ?? 'anthropic'
  const address = readAddress(env, provider, problems)
  const layers: [Source, Partial<Settings>][] = [
    ['default', { provider, mode: 'ask', maxTurns: 20, idleTimeout: 120 }],
    ['project', described],
    // An address belongs to the vendor it was written beside: another vendor's key must not be sent there.
    ['user', { ...own, ...(baseUrl && own.provider === provider ? { baseUrl } : {}) }],
    ['environment', { ...spoken, ...(address ? { baseUrl: address } : {}) }],
    ['flag', flagged],
  ]
  const settings: Partial<Settings> = {
    keys,
    ...(rules.length + projectRules.length > 0 && { rules: { user: rules, project: projectRules } }),
  }
  for (const [source, layer] of layers) {
    Object.assign(settings, layer)
    for (const name of Object.keys(layer)) sources[name] = source
  }
  return { settings: settings as Settings, sources, problems }
}

function readFlags(flags: Layers['flags'], problems: ConfigProblem[]): Partial<Settings> {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined)
  const provider = readProvider('--provider', text('provider'), problems)
  const mode = flags['yes'] === true ? 'yes' : MODES.find((name) => name === text('mode'))
  const baseUrl = readUrl('--base-url', text('base-url'), problems)
  const maxTurns = readCount('--max-turns', text('max-turns'), problems)
  const [model, effort] = [text('model'), text('effort')]
  return {
    ...(provider ? { provider } : {}),
    ...(model ? { model } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    ...(mode ? { mode } : {}),
    ...(effort ? { effort } : {}),
    ...(maxTurns ? { maxTurns } : {}),
  }
}

function readEnvironment(env: Environment, problems: ConfigProblem[]): Partial<Settings> {
  const provider = readProvider('MARU_PROVIDER', env['MARU_PROVIDER'], problems)
  const idleTimeout = readCount('MARU_IDLE_TIMEOUT', env['MARU_IDLE_TIMEOUT'], problems)
  return {
    ...(provider ? { provider } : {}),
    ...(env['MARU_MODEL'] ? { model: env['MARU_MODEL'] } : {}),
    ...(idleTimeout ? { idleTimeout } : {}),
  }
}

function readAddress(env: Environment, provider: Provider, problems: ConfigProblem[]): string | undefined {
  const name = VARIABLES[provider].baseUrl
  return readUrl(name, env[name], problems)
}

function readProvider(key: string, value: string | undefined, problems: ConfigProblem[]): Provider | undefined {
  const found = PROVIDERS.find((name) => name === value)
  if (found || !value) return found
  const meant = nearest(value, PROVIDERS)
  problems.push({ fault: { kind: 'wrong-choice', key, choices: PROVIDERS, ...(meant ? { meant } : {}) } })
  return undefined
}

function readUrl(key: string, value: string | undefined, problems: ConfigProblem[]): string | undefined {
  if (!value || isPlainUrl(value)) return value || undefined
  problems.push({ fault: { kind: 'wrong-value', key, must: 'config.must.url' } })
  return undefined
}

function readCount(key: string, value: string | undefined, problems: ConfigProblem[]): number | undefined {
  if (!value) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  problems.push({ fault: { kind: 'wrong-value', key, must: 'config.must.count' } })
  return undefined
}
