import { costOf, findModel } from '@maru/providers'
import type { Invocation } from '../command.ts'
import { modelOverrides } from '../session/model-side.ts'
import type { SessionRow } from './list-sessions.ts'

/** Adds what sessions cost, as far as the prices of all their models are known. */
export async function priceSessions(
  { config }: Pick<Invocation, 'config'>,
  rows: readonly SessionRow[],
): Promise<SessionRow[]> {
  const { settings } = await config()
  const overrides = modelOverrides(settings.models ?? {})
  return rows.map((row) => {
    const costs = Object.entries(row.spent).map(([model, usage]) => costOf(findModel(model, overrides), usage))
    const isKnown = costs.length > 0 && costs.every((cost) => cost !== undefined)
    return isKnown ? { ...row, cost: costs.reduce((sum, cost) => sum + (cost ?? 0), 0) } : row
  })
}
