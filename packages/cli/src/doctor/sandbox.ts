import { printable } from '../terminal/printable.ts'
import type { Probe } from './check.ts'
import { findProgram, runProgram } from './program.ts'

// Every namespace of its own, as commands get it. Inside some containers only a fresh /proc is refused.
const BARE = ['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-all', '--die-with-parent', '--new-session']
const WITH_PROC = [...BARE, '--proc', '/proc']

/** Only a run shows whether the kernel lets us: bubblewrap may be there and user namespaces switched off. */
export const sandboxProbe: Probe = {
  id: 'sandbox',
  async look({ env, repo, t }, signal) {
    const path = await findProgram('bwrap', env, repo)
    const none = (message: string, detail?: string) => [
      {
        id: 'sandbox',
        status: 'warning',
        message,
        ...(detail ? { detail } : {}),
        hint: t('doctor.sandbox.hint'),
      } as const,
    ]
    if (path === undefined) return none(t('doctor.sandbox.missing'))
    const fresh = await runProgram(path, [...WITH_PROC, 'true'], signal)
    const result = fresh.ok ? fresh : await runProgram(path, [...BARE, 'true'], signal)
    if (!result.ok) return none(t('doctor.sandbox.refused'), printable(result.reason))
    const message = fresh.ok ? t('doctor.sandbox.full') : t('doctor.sandbox.full-shared-proc')
    return [{ id: 'sandbox', status: 'ok', message, detail: path }]
  },
}
