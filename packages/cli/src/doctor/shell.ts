import { basename, join } from 'node:path'
import { readBytes } from '../config/read-bytes.ts'
import type { Environment } from '../environment.ts'
import type { Probe } from './check.ts'

/** Whether the person's shell completes `maru`; that it does not is no fault, only worth knowing. */
export const shellProbe: Probe = {
  id: 'completions',
  async look({ env, t }) {
    const shell = basename(env['SHELL'] ?? '')
    const home = env['HOME']
    if (!home || !isKnown(shell)) return []
    const { files, start } = placesOf(shell, home, env)
    const isThere = files.some(exists) || mentions(start)
    if (isThere) return [{ id: 'completions', status: 'ok', message: t('doctor.completions.ok', { shell }) }]
    const message = t('doctor.completions.none', { shell })
    return [{ id: 'completions', status: 'ok', message, hint: 'maru completions -h' }]
  },
}

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

function isKnown(shell: string): shell is Shell {
  return SHELLS.some((name) => name === shell)
}

// Where `maru completions -h` says they go, and the file that may load them in another way.
function placesOf(shell: Shell, home: string, env: Environment): { files: string[]; start: string } {
  const data = env['XDG_DATA_HOME'] || join(home, '.local/share')
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  switch (shell) {
    case 'bash':
      return { files: [join(data, 'bash-completion/completions/maru')], start: join(home, '.bashrc') }
    case 'zsh':
      return { files: [join(home, '.zfunc/_maru')], start: join(env['ZDOTDIR'] || home, '.zshrc') }
    case 'fish':
      return { files: [join(config, 'fish/completions/maru.fish')], start: join(config, 'fish/config.fish') }
    default:
      return shell satisfies never
  }
}

function exists(file: string): boolean {
  return readBytes(file) !== undefined
}

function mentions(file: string): boolean {
  const read = readBytes(file)
  return read !== undefined && 'bytes' in read && new TextDecoder().decode(read.bytes).includes('maru completions')
}
