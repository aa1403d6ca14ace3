import type { Lang, Translator } from '@maru/i18n'
import type { ConfigFiles } from '../config/read-config-files.ts'
import type { ResolvedSettings } from '../config/settings.ts'
import type { Environment } from '../environment.ts'
import { printable } from '../terminal/printable.ts'

/** What holds, or does not, and what to do about it. `problem` means that something will not work. */
export interface Check {
  readonly id: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  readonly detail?: string
  readonly hint?: string
}

/** What probes may look at. */
export interface Patient {
  readonly env: Environment
  readonly home: string
  readonly repo: string
  readonly lang: Lang
  readonly t: Translator
  readonly files: ConfigFiles
  readonly resolved: ResolvedSettings
  readonly hasColour: boolean
  /** Where this is shown. */
  readonly terminal: { readonly isTerminal: boolean; readonly columns: number }
  readonly nodeVersion: string
}

/** Looks at one thing; stops when the signal says so. */
export interface Probe {
  readonly id: string
  look(patient: Patient, signal: AbortSignal): Promise<readonly Check[]>
}

/** Runs all probes side by side; one that takes too long is itself a finding. */
export async function examine(
  probes: readonly Probe[],
  patient: Patient,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<Check[]> {
  const looks = probes.map(async (probe) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
    const tooSlow = new Promise<readonly Check[]>((resolve) => {
      const message = patient.t('doctor.too-slow', { id: probe.id, n: limitMs / 1000 })
      const stop = () => resolve([{ id: probe.id, status: 'warning', message }])
      if (limited.aborted) stop()
      else limited.addEventListener('abort', stop, { once: true })
    })
    // A probe that breaks is a finding too: the others still have something to say.
    const failed = (error: unknown): readonly Check[] => {
      const reason = printable(error instanceof Error ? error.message : String(error))
      return [{ id: probe.id, status: 'warning', message: patient.t('doctor.failed', { id: probe.id, reason }) }]
    }
    return Promise.race([probe.look(patient, limited).catch(failed), tooSlow])
  })
  return (await Promise.all(looks)).flat()
}
