import type { Projection } from '@maru/protocol'

/** The snapshots of the work tree that a session speaks of. */
export const trees: Projection<{ ids: { [hash: string]: true } }> = {
  name: 'trees',
  version: 1,
  create: () => ({ ids: {} }),
  apply({ ids }, record) {
    if (record.type === 'checkpoint') ids[record.id] = true
    if (record.type !== 'tool-end' || !record.result.snapshots) return
    const { before, after } = record.result.snapshots
    ids[before] = true
    if (after !== undefined) ids[after] = true
  },
}
