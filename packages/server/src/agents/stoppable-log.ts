import { alteredLog, LogError, type SessionLog } from '@maru/protocol'

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
    log: alteredLog(log, {
      async append(...given) {
        if (isShut) throw new LogError('closed', 'the server is stopping')
        return log.append(...given)
      },
      // It is everybody's.
      close: async () => undefined,
    }),
  }
}
