import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Where snapshots of a work tree are kept, for all sessions in it. */
export function snapshotStore(home: string, root: string): string {
  return join(home, 'snapshots', createHash('sha256').update(root).digest('hex').slice(0, 32))
}
