import { CliError, usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import type { Source } from '../config/settings.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'

/** `maru config list|get|set`: what holds, from where, and changing one's own file. */
export const config = defineCommand({
  usage: ['config list', 'config get KEY', 'config set KEY VALUE'],
  details: 'config.details',
  options: {},
  positionals: [
    { name: 'list|get|set', choices: ['list', 'get', 'set'] },
    { name: 'KEY', optional: true },
    { name: 'VALUE', optional: true },
  ],
  async run(invocation) {
    const [action, key, value] = invocation.positionals
    const { t } = invocation
    if (action === 'list') {
      if (key !== undefined) throw usageError(t('cli.too-many', { argument: key, help: 'maru config -h' }))
      return list(invocation, await settingsOf(invocation))
    }
    if (key === undefined) throw usageError(t('cli.missing', { argument: 'KEY', help: 'maru config -h' }))
    if (action === 'get') {
      if (value !== undefined) throw usageError(t('cli.too-many', { argument: value, help: 'maru config -h' }))
      return get(invocation, key)
    }
    if (value === undefined) throw usageError(t('cli.missing', { argument: 'VALUE', help: 'maru config -h' }))
    return set(invocation, { key, value: value === '-' ? await readAll(invocation) : value })
  },
})

interface Row {
  readonly key: string
  readonly value: string | number | boolean | readonly string[]
  readonly source: Source
}

async function settingsOf(invocation: Invocation): Promise<Row[]> {
  const { showSetting } = await import('../config/mask.ts')
  const { files, settings, sources: known } = await invocation.config()
  const sources: Record<string, Source> = { ...known, lang: languageSource(invocation, files.user.config?.lang) }
  return Object.entries({ ...settings, lang: invocation.lang })
    .flatMap(([name, value]) => showSetting([name], value))
    .map((row) => ({ ...row, source: sources[row.key] ?? sources[row.key.replace(/\..*/s, '')] ?? 'default' }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function languageSource({ env, options }: Invocation, own: string | undefined): Source {
  if (options.lang) return 'flag'
  if (env['MARU_LANG']) return 'environment'
  return own ? 'user' : 'default'
}

async function list({ json, stdout, style, t }: Invocation, rows: readonly Row[]): Promise<ExitCode> {
  if (json) await stdout.line(JSON.stringify({ settings: rows }))
  const names: Record<Source, string> = {
    flag: t('config.source.flag'),
    environment: t('config.source.environment'),
    user: 'config.json',
    project: 'maru.json',
    default: t('config.source.default'),
  }
  for (const { key, value, source } of json ? [] : rows) {
    await stdout.line(`${key} = ${JSON.stringify(value)}  ${style.dim(`(${names[source]})`)}`)
  }
  return EXIT.done
}

async function get(invocation: Invocation, key: string): Promise<ExitCode> {
  const { json, stdout, t } = invocation
  const rows = await settingsOf(invocation)
  const exact = rows.find((row) => row.key === key)
  const below = rows.filter((row) => row.key.startsWith(`${key}.`))
  if (exact) {
    const text = typeof exact.value === 'string' ? exact.value : JSON.stringify(exact.value)
    await stdout.line(json ? JSON.stringify(exact) : text)
    return EXIT.done
  }
  if (below.length > 0) return list(invocation, below)
  const { projectShape, userShape } = await import('../config/schema.ts')
  const known = [...new Set([...userShape.keys, ...projectShape.keys, 'idleTimeout'])]
  const [first = ''] = key.split('.')
  if (known.includes(first)) throw new CliError('not-set', t('config.not-set', { key }))
  const { describeFault } = await import('../config/problem.ts')
  const { nearest } = await import('../nearest.ts')
  const meant = nearest(first, known)
  throw usageError(describeFault(t, { kind: 'unknown-key', key, known, ...(meant ? { meant } : {}) }))
}

async function set(invocation: Invocation, { key, value }: { key: string; value: string }): Promise<ExitCode> {
  const { t } = invocation
  const [{ editConfig, parseKeyPath }, { changeUserConfig }, { describeFault }] = await Promise.all([
    import('../config/edit-config.ts'),
    import('../config/change-user-config.ts'),
    import('../config/problem.ts'),
  ])
  const path = parseKeyPath(key)
  if (!path) throw usageError(t('config.bad-path', { key }))
  const changed = await changeUserConfig(invocation, (text, file) => editConfig(text, { file, path, value }))
  if ('problems' in changed) {
    const [problem] = changed.problems
    throw usageError(problem ? describeFault(t, problem.fault) : t('config.bad-path', { key }))
  }
  await invocation.notice(t('config.written', { key, file: changed.file }))
  return EXIT.done
}

async function readAll({ stdin }: Invocation): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stdin) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return (text + decoder.decode()).replace(/\r?\n$/, '')
}
