import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LogError, type SessionLog } from '@maru/protocol'
import { type History, moveSession, type OwnHistory, openJsonlStore } from '@maru/store'
import { homeIdOf } from '../history/bring-sessions.ts'

/**
 * The same history, in which a session that a terminal keeps in a file moves here as soon as somebody goes on with it, and
 * what is erased is erased from the file as well. While a terminal works on it, it is `held`.
 */
export function moveWhenWritten(history: History, { owner, home }: { owner: string; home: string }): History {
  const directory = join(home, 'sessions')
  const wrap = (own: OwnHistory): OwnHistory => {
    if (own.owner !== owner) return own
    const move = (id: string) => moveSession(history, own, { directory, source: homeIdOf(home), id })
    return { ...own, log: movingLog(own.log, { directory, move }) }
  }
  return {
    ...history,
    open: async (name, options) => wrap(await history.open(name, options)),
    openOwner: async (number, options) => wrap(await history.openOwner(number, options)),
  }
}

interface Files {
  directory: string
  move(id: string): Promise<void>
}

function movingLog(log: SessionLog, { directory, move }: Files): SessionLog {
  const here = async <T>(id: string, write: () => Promise<T>): Promise<T> => {
    try {
      return await write()
    } catch (error) {
      const isFile = error instanceof LogError && error.code === 'moved' && existsSync(join(directory, `${id}.jsonl`))
      if (!isFile) throw error
    }
    await move(id)
    return write()
  }
  return {
    create: (...given) => log.create(...given),
    list: () => log.list(),
    lease: (id) => here(id, () => log.lease(id)),
    admit: (id, fact) => here(id, () => log.admit(id, fact)),
    append: (...given) => log.append(...given),
    read: (...given) => log.read(...given),
    follow: (...given) => log.follow(...given),
    watch: (...given) => log.watch(...given),
    async erase(id, seq) {
      await eraseInFile(directory, id, seq)
      await log.erase(id, seq)
    },
    close: () => log.close(),
  }
}

async function eraseInFile(directory: string, id: string, seq?: number): Promise<void> {
  if (!existsSync(join(directory, `${id}.jsonl`))) return
  const files = openJsonlStore({ directory, now: Date.now })
  try {
    await files.log.erase(id, seq)
  } catch (error) {
    // Of a session that has moved, the file has only what was there before.
    if (!(error instanceof LogError && error.code === 'missing')) throw error
  } finally {
    await files.log.close()
  }
}
