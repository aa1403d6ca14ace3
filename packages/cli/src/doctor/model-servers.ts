import { findLocalModels, USUAL_PLACES, type UsualPlace } from '../first-run/local-models.ts'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'

/** Which models this machine itself offers, and whether the one that is configured is among them. */
export const modelServersProbe = createModelServersProbe(USUAL_PLACES)

export function createModelServersProbe(places: readonly UsualPlace[], limitMs?: number): Probe {
  return {
    id: 'local-models',
    async look(patient, signal) {
      const { resolved, t } = patient
      const own = ownPort(resolved.settings.baseUrl)
      const isUsual = places.some(({ port }) => port === own)
      const asked = own === undefined || isUsual ? places : [...places, { name: 'config.json', port: own }]
      const found = await findLocalModels(signal, asked, limitMs)
      const isThere = own === undefined || found.some(({ url }) => url.endsWith(`:${own}`))
      if (!isThere) return [silent(patient)]
      const list = found.map(({ name, models }) => `${name} (${some(models)})`).join(', ')
      const ports = places.map(({ port }) => port).join(', ')
      const message = found.length > 0 ? t('doctor.local.found', { list }) : t('doctor.local.none', { ports })
      const detail = found.flatMap(({ url, models }) => models.map((model) => `${url} ${model}`)).join('\n')
      return [{ id: 'local-models', status: 'ok', message, ...(detail !== '' && { detail }) }]
    },
  }
}

function silent({ resolved, t }: Patient): Check {
  const url = printable(resolved.settings.baseUrl ?? '')
  const message = t('doctor.local.silent', { url })
  return { id: 'local-models', status: 'warning', message, hint: t('doctor.local.start') }
}

/** The port of an address on this machine; only such a one is asked, and no vendor. */
function ownPort(address: string | undefined): number | undefined {
  if (address === undefined) return undefined
  const { hostname, pathname, port, protocol } = new URL(address)
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1'
  // Below another path there may be a server that lists its models elsewhere.
  return isHere && protocol === 'http:' && /^\/(v1\/?)?$/.test(pathname) ? Number(port || 80) : undefined
}

function some(models: readonly string[]): string {
  return models.length > 3 ? `${models.slice(0, 3).join(', ')}, … +${models.length - 3}` : models.join(', ')
}
