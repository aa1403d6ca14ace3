import { LogError, type SessionLog } from '@maru/protocol'

/**
 * A log that can be shut for its runner while everybody else goes on. A session that waits for a person is stopped like
 * this: an abort would have the runner write down that the waiting is over, and the answer would come to nothing.
 */
export function createStoppableLog(log: SessionLog): { log: SessionLog; shut(): void } {
  let isShut = false
  return {
    shut() {
      isShut = true
    },
    log: {
      create: (id, start) => log.create(id, start),
      list: () => log.list(),
      lease: (id) => log.lease(id),
      admit: (id, fact) => log.admit(id, fact),
      async append(id, holder, facts) {
        if (isShut) throw new LogError('closed', 'the server is stopping')
        return log.append(id, holder, facts)
      },
      read: (id, after) => log.read(id, after),
      follow: (id, after, signal) => log.follow(id, after, signal),
      watch: (cursor, signal) => log.watch(cursor, signal),
      erase: (id, seq) => log.erase(id, seq),
      // It is everybody's.
      close: async () => undefined,
    },
  }
}
