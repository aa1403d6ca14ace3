import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@maru/store'
import type { WorkedSession } from '../session/worked-session.ts'

/** Where snapshots of a work tree are kept, for all sessions in it. */
export function snapshotStore(home: string, root: string): string {
  return join(home, 'snapshots', sha256(root).slice(0, 32))
}

const ELSEWHERE = 'elsewhere'

/**
 * The same for a session that will keep snapshots there. Where its log is not at home it is noted, so that deleting
 * others does not take its snapshots away.
 */
export function claimSnapshots(
  home: string,
  root: string,
  session: Pick<WorkedSession, 'directory' | 'id' | 'onTree'>,
): string {
  const store = snapshotStore(home, root)
  if (session.onTree || session.directory === join(home, 'sessions')) return store
  const path = join(session.directory, `${session.id}.jsonl`)
  if (claimedElsewhere(store).includes(path)) return store
  mkdirSync(store, { recursive: true, mode: 0o700 })
  appendFileSync(join(store, ELSEWHERE), `${JSON.stringify(path)}\n`, { mode: 0o600 })
  return store
}

/** The logs that keep snapshots in a store and are not at home. */
export function claimedElsewhere(store: string): string[] {
  return readOr(join(store, ELSEWHERE), '')
    .split('\n')
    .flatMap((line) => (line.endsWith('"') ? [JSON.parse(line) as string] : []))
}

function readOr(path: string, other: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return other
  }
}
