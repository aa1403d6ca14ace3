import { newSessionId, uniqueHex } from '@maru/store'
import { person } from '../session/door.ts'
import type { OpenSession } from '../session/open-session.ts'
import { settleSession } from './settle-session.ts'

export interface ForkWish {
  /** The last fact that the fork has in common with its parent. */
  readonly seq: number
  /** Where it works. */
  readonly cwd: string
  readonly title?: string | undefined
}

/** Begins a session with another's facts up to a cut. It is at rest: what was under way there is laid aside in it. */
export async function forkSession(parent: OpenSession, { seq, cwd, title }: ForkWish): Promise<OpenSession> {
  const { log } = parent
  const id = newSessionId(Date.now())
  const forkOf = { id: parent.id, seq }
  const { begun: _begun, ...place } = parent
  await log.create(id, { agent: { kind: 'maru' }, door: 'terminal', cwd, forkOf })
  const fork: OpenSession = { ...place, id }
  if (title !== undefined) await log.admit(id, { type: 'title-set', key: uniqueHex(32), by: person, title })
  await settleSession(fork)
  return fork
}
