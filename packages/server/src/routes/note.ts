import type { Call } from '../http/route.ts'
import type { RouteContext } from './context.ts'

/** Writes down who changed what about who may come in. */
export function note(
  { inside }: RouteContext,
  { key, address, by }: Pick<Call, 'key' | 'address' | 'by'>,
  action: string,
  detail?: string,
): Promise<void> {
  return inside.options.access.note({
    ...{ owner: key.person.id, action, address },
    ...(by.door !== undefined && { door: by.door }),
    ...(detail !== undefined && { detail }),
  })
}
