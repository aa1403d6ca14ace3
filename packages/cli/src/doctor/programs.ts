import { findRipgrep } from '@maru/tools'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'
import { findProgram, runProgram } from './program.ts'

const NODE_NEEDED = '20.19.0'
// Older ones do not know `safe.bareRepository`, with which a planted repository cannot make git run its programs.
const GIT_NEEDED = '2.38.0'

export const nodeProbe: Probe = {
  id: 'node',
  async look({ nodeVersion, t }) {
    const version = nodeVersion
    if (isAtLeast(version, NODE_NEEDED))
      return [{ id: 'node', status: 'ok', message: t('doctor.node.ok', { version }) }]
    const message = t('doctor.node.old', { version, needed: '20.19' })
    return [{ id: 'node', status: 'problem', message, hint: t('doctor.node.hint') }]
  },
}

export const gitProbe: Probe = {
  id: 'git',
  async look(patient, signal) {
    const { t } = patient
    const found = await askVersion('git', patient, signal)
    if ('missing' in found) {
      return [
        { id: 'git', status: 'warning', message: missing('git', found.missing, patient), hint: t('doctor.git.hint') },
      ]
    }
    const { version, path } = found
    const message = t('doctor.program.ok', { name: 'git', version })
    if (isAtLeast(version, GIT_NEEDED)) return [{ id: 'git', status: 'ok', message, detail: path }]
    return [{ id: 'git', status: 'warning', message, detail: path, hint: t('doctor.git.old', { needed: '2.38' }) }]
  },
}

export const ripgrepProbe: Probe = {
  id: 'ripgrep',
  async look(patient, signal) {
    const { t } = patient
    const found = await askVersionOf(await findRipgrep(), signal)
    if ('missing' in found) {
      const message = missing('ripgrep (rg)', found.missing, patient)
      return [{ id: 'ripgrep', status: 'warning', message, hint: t('doctor.ripgrep.hint') }]
    }
    const message = t('doctor.program.ok', { name: 'ripgrep', version: found.version })
    return [{ id: 'ripgrep', status: 'ok', message, detail: found.path }]
  },
}

type Found = { readonly path: string; readonly version: string } | { readonly missing: string | undefined }

async function askVersion(name: string, { env, repo }: Patient, signal: AbortSignal): Promise<Found> {
  return askVersionOf(await findProgram(name, env, repo), signal)
}

async function askVersionOf(path: string | undefined, signal: AbortSignal): Promise<Found> {
  if (path === undefined) return { missing: undefined }
  const result = await runProgram(path, ['--version'], signal)
  const version = result.ok ? /\d+(\.\d+)+/.exec(result.stdout)?.[0] : undefined
  if (version !== undefined) return { path, version }
  return { missing: result.ok ? path : result.reason }
}

function missing(name: string, reason: string | undefined, { t }: Patient): Check['message'] {
  if (reason === undefined) return t('doctor.program.missing', { name })
  return t('doctor.program.broken', { name, reason: printable(reason) })
}

function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  for (const [i, part] of (want ?? []).entries()) {
    const own = have?.[i] ?? 0
    if (own !== part) return own > part
  }
  return true
}
