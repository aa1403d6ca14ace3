import type { SessionLog } from '@maru/protocol'
import type { Hit, SearchFilter } from '@maru/store'
import type { Invocation } from '../command.ts'
import type { FoundServer } from './find-server.ts'
import { openApi, openLink, toCliError } from './open-link.ts'

/** Whatever can be searched. */
export interface Finder {
  readonly log: Pick<SessionLog, 'read'>
  find(query: string, wish: { filter: SearchFilter; limit: number }): AsyncIterable<Hit>
  close(): Promise<void>
}

/** The history that a server holds. */
export async function openServerFinder(server: FoundServer, invocation: Invocation): Promise<Finder> {
  const api = await openApi(server)
  const link = await openLink(server, { invocation })
  return {
    log: link.log,
    async *find(query, { filter: { since, until, ...filter }, limit }) {
      const wish = {
        ...filter,
        ...(since !== undefined && { from: String(since) }),
        ...(until !== undefined && { to: String(until) }),
      }
      let left = limit
      try {
        for await (const hit of api.search(query, wish)) {
          yield hit as Hit
          if (--left <= 0) return
        }
      } catch (error) {
        toCliError(invocation.t)(error)
      }
    },
    close: () => link.close(),
  }
}
