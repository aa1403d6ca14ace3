import { LANGS } from '@maru/i18n'
import { printable } from '../terminal/printable.ts'
import type { Probe } from './check.ts'

export const terminalProbe: Probe = {
  id: 'terminal',
  async look({ env, hasColour, lang, t }) {
    const colour = hasColour ? t('doctor.terminal.colour') : t('doctor.terminal.plain')
    const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
    // Windows consoles and macOS speak UTF-8 whatever the locale says.
    const isUtf8 = process.platform !== 'linux' || /utf-?8/i.test(locale)
    const message = t('doctor.terminal.ok', { colour, lang })
    const wish = env['MARU_LANG']
    const checks = isUtf8
      ? [{ id: 'terminal', status: 'ok', message } as const]
      : [
          {
            id: 'terminal',
            status: 'warning',
            message: t('doctor.terminal.not-utf8'),
            hint: 'export LANG=C.UTF-8',
          } as const,
        ]
    if (!wish || LANGS.some((known) => known === wish)) return checks
    const choices = LANGS.join(', ')
    return [
      ...checks,
      { id: 'language', status: 'warning', message: t('doctor.language.unknown', { lang: printable(wish), choices }) },
    ]
  },
}
