import { LANGS } from '@maru/i18n'
import type { Environment } from '../environment.ts'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'

// Below that, lines of help and of diffs no longer fit.
const NARROW = 60

export const terminalProbe: Probe = {
  id: 'terminal',
  async look(patient) {
    const { env } = patient
    // Windows consoles and macOS speak UTF-8 whatever the locale says.
    const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
    const isUtf8 = process.platform !== 'linux' || /utf-?8/i.test(locale)
    return [isUtf8 ? abilities(patient) : notUtf8(patient), ...width(patient), ...language(patient)]
  },
}

function abilities({ env, hasColour, lang, t, terminal }: Patient): Check {
  const parts = [
    hasColour ? colours(env, t) : t('doctor.terminal.plain'),
    'UTF-8',
    ...(terminal.isTerminal ? [t('doctor.terminal.columns', { n: terminal.columns })] : []),
    ...multiplexer(env),
  ]
  return { id: 'terminal', status: 'ok', message: t('doctor.terminal.ok', { abilities: parts.join(', '), lang }) }
}

function colours(env: Environment, t: Patient['t']): string {
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '')) return t('doctor.terminal.true-colour')
  return /256/.test(env['TERM'] ?? '')
    ? t('doctor.terminal.colours', { n: 256 })
    : t('doctor.terminal.colours', { n: 16 })
}

function multiplexer(env: Environment): string[] {
  if (env['TMUX']) return ['tmux']
  return env['STY'] ? ['screen'] : []
}

function notUtf8({ t }: Patient): Check {
  return { id: 'terminal', status: 'warning', message: t('doctor.terminal.not-utf8'), hint: 'export LANG=C.UTF-8' }
}

function width({ t, terminal }: Patient): Check[] {
  if (!terminal.isTerminal || terminal.columns >= NARROW) return []
  const message = t('doctor.terminal.narrow', { n: terminal.columns })
  return [{ id: 'terminal-width', status: 'warning', message, hint: t('doctor.terminal.widen', { n: NARROW }) }]
}

function language({ env, t }: Patient): Check[] {
  const wish = env['MARU_LANG']
  if (!wish || LANGS.some((known) => known === wish)) return []
  const choices = LANGS.join(', ')
  const message = t('doctor.language.unknown', { lang: printable(wish), choices })
  return [{ id: 'language', status: 'warning', message }]
}
