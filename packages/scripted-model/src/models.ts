import type { Fields } from './json.ts'
import type { WireName } from './script.ts'

/** The list of models in the shape of the vendor asked. */
export function listModels(wire: WireName, createdAt: number, models: readonly string[] = ['scripted']): Fields {
  if (wire !== 'anthropic') {
    const data = models.map((id) => ({ id, object: 'model', created: createdAt, owned_by: 'scripted' }))
    return { object: 'list', data }
  }
  const created_at = new Date(createdAt * 1000).toISOString()
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at }))
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}
