import { join } from 'node:path'
import { sha256 } from '@maru/store'

/** Where snapshots of a work tree are kept, for all sessions in it. */
export function snapshotStore(home: string, root: string): string {
  return join(home, 'snapshots', sha256(root).slice(0, 32))
}
