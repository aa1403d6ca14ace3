import { PROVIDERS, type Provider } from '../config/choices.ts'
import { describeProblem } from '../config/problem.ts'
import type { ReadConfigFile } from '../config/read-config-files.ts'
import { VARIABLES } from '../config/settings.ts'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'

export const configProbe: Probe = {
  id: 'config',
  async look(patient) {
    const { files, resolved, t } = patient
    const environment = resolved.problems.map(
      (problem): Check => ({ id: 'environment', status: 'problem', message: describeProblem(t, problem) }),
    )
    return [
      judgeFile('config-user', files.user, patient),
      judgeFile('config-project', files.project, patient),
      ...environment,
    ]
  },
}

function judgeFile(id: string, read: ReadConfigFile<unknown>, { t }: Patient): Check {
  const file = printable(read.file)
  if (!read.exists) return { id, status: 'ok', message: t('doctor.config.none', { file }) }
  if (read.problems.length > 0) {
    const detail = read.problems.map((problem) => describeProblem(t, problem)).join('\n')
    const message = t('doctor.config.wrong', { file, n: read.problems.length })
    return { id, status: 'problem', message, detail, hint: t('doctor.config.hint') }
  }
  if (!read.isExposed) return { id, status: 'ok', message: t('doctor.config.ok', { file }) }
  return { id, status: 'warning', message: t('doctor.config.exposed', { file }), hint: `chmod 600 ${file}` }
}

/** Which keys there are and from where; never what they are, and no call to any vendor. */
export const providersProbe: Probe = {
  id: 'providers',
  async look({ resolved, t }) {
    const { settings, sources } = resolved
    const known = PROVIDERS.filter((name) => settings.keys[name])
    const { baseUrl, provider } = settings
    // A server of one's own needs no key.
    if (provider === 'openai-chat' && baseUrl !== undefined && !settings.keys[provider]) {
      const message = t('doctor.providers.address', { provider, url: printable(baseUrl) })
      return [{ id: 'providers', status: 'ok', message }]
    }
    const hint = t('doctor.providers.hint', { variable: VARIABLES[settings.provider].key, provider: settings.provider })
    if (known.length === 0) return [{ id: 'providers', status: 'warning', message: t('doctor.providers.none'), hint }]
    const place = (name: Provider) => {
      if (sources[`keys.${name}`] === 'environment') return VARIABLES[name].key
      return typeof settings.keys[name] === 'string' ? 'config.json' : t('doctor.providers.command')
    }
    const list = known.map((name) => `${name} (${place(name)})`).join(', ')
    if (settings.keys[settings.provider]) {
      return [{ id: 'providers', status: 'ok', message: t('doctor.providers.ok', { list }) }]
    }
    const message = t('doctor.providers.other', { provider: settings.provider, list })
    return [{ id: 'providers', status: 'warning', message, hint }]
  },
}
