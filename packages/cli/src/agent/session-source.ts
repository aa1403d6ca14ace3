import { join } from 'node:path'
import type { LiveBus } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { type OpenSession, openSession } from '../session/open-session.ts'

/** A session as a conversation needs it. `live`: where what happens in it is told, if others listen. */
export type SittingSession = OpenSession & { readonly live?: LiveBus }

type Wish = Parameters<typeof openSession>[1]

/** Where the sessions of a conversation are kept. */
export interface SessionSource {
  open(wish: Wish): Promise<SittingSession>
  /** A new one with the facts of another up to and with `seq`. */
  fork(session: OpenSession, seq: number): Promise<SittingSession>
  /** May be called twice. */
  close(): Promise<void>
}

/** What a source is made with: `mask` takes values that are known to be secret out of whatever is stored. */
export type OpenSource = (invocation: Invocation, mask: (text: string) => string) => SessionSource

/** Sessions as files of this machine. */
export const localSource: OpenSource = (invocation, mask) => ({
  open: (wish) => openSession(invocation, wish, mask),
  async fork(session, seq) {
    const { forkSession } = await import('../sessions/fork-session.ts')
    const { id } = await forkSession(session, { seq, cwd: invocation.repo() })
    const file = join(session.directory, `${id}.jsonl`)
    return openSession(invocation, { session: file, mustExist: true }, mask)
  },
  close: async () => undefined,
})
