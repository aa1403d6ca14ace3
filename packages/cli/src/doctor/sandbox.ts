import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type SandboxTrial, trySandbox } from '@maru/tools'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'

/** Only trying shows what holds: bubblewrap may be there and user namespaces switched off. */
export const sandboxProbe = createSandboxProbe(trySandbox)

/** The check of what `attempt` has found out, given a place where it may make a directory. */
export function createSandboxProbe(attempt: (place: string) => Promise<SandboxTrial>): Probe {
  return {
    id: 'sandbox',
    async look(patient) {
      // Not in the temporary directory, if it can be helped: of that, a command sees nothing anyway.
      const trial = await attempt(existsSync(patient.home) ? patient.home : tmpdir())
      return [checkOf(trial, patient)]
    },
  }
}

function checkOf({ state, kept }: SandboxTrial, { t }: Patient): Check {
  const detail = state.detail === undefined ? {} : { detail: printable(state.detail) }
  if (state.level === 'none') {
    const none = { id: 'sandbox', status: 'warning', ...detail } as const
    switch (state.reason) {
      case 'missing':
        return { ...none, message: t('doctor.sandbox.missing'), hint: t('doctor.sandbox.install') }
      case 'refused':
        return { ...none, message: t('doctor.sandbox.refused'), hint: t('doctor.sandbox.allow') }
      case 'root-too-wide':
      case 'unsupported':
      case undefined:
        return { ...none, message: t('doctor.sandbox.unsupported'), hint: t('doctor.sandbox.asked') }
      default:
        return state.reason satisfies never
    }
  }
  const names = (isKept: boolean) =>
    kept.filter((each) => each.isKept === isKept).map(({ promise }) => t(PROMISES[promise]))
  const broken = names(false)
  if (broken.length > 0) {
    const message = t('doctor.sandbox.broken', { list: broken.join(', ') })
    return { id: 'sandbox', status: 'problem', message, hint: t('doctor.sandbox.report') }
  }
  const message = state.level === 'full' ? t('doctor.sandbox.full') : t('doctor.sandbox.full-shared-proc')
  return { id: 'sandbox', status: 'ok', message, detail: [state.program ?? '', ...names(true)].join('\n') }
}

const PROMISES = {
  'write-outside': 'doctor.sandbox.promise.write-outside',
  protected: 'doctor.sandbox.promise.protected',
  secrets: 'doctor.sandbox.promise.secrets',
  network: 'doctor.sandbox.promise.network',
  processes: 'doctor.sandbox.promise.processes',
  work: 'doctor.sandbox.promise.work',
} as const
