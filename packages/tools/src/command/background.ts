import { clock } from '../clock.ts'
import type { CollectedOutput } from './collect-output.ts'
import type { ProcessEnd, Running } from './start-process.ts'

/** A command that runs while the model goes on. */
export interface BackgroundCommand {
  readonly id: string
  readonly output: CollectedOutput
  /** Absent while it runs. */
  readonly end: ProcessEnd | undefined
  /** How long it has been running, or was. */
  readonly ms: number
  /** How far its output has been read. */
  read: number
  /** Waits for its end, for output from `offset` on, or until the time is over, whichever comes first. */
  news(offset: number, ms: number, signal: AbortSignal): Promise<void>
  /** Ends it with its whole tree. */
  stop(): Promise<void>
}

/** The background commands of a session, which live as long as it does at most. */
export interface Background {
  /** Whether one more may be added. */
  hasRoom(): boolean
  add(running: Running, output: CollectedOutput): BackgroundCommand
  find(id: string): BackgroundCommand | undefined
  ids(): string[]
  /** Ends all of them. May be called twice. */
  close(): Promise<void>
}

// Each may hold some megabytes of output, also when it has ended and may still be read.
const MOST = 16

export function createBackground(): Background {
  const commands = new Map<string, BackgroundCommand>()
  let count = 0
  const firstEnded = () => [...commands.values()].find(({ end }) => end !== undefined)
  return {
    hasRoom: () => commands.size < MOST || firstEnded() !== undefined,
    add(running, output) {
      if (commands.size >= MOST) commands.delete(firstEnded()?.id ?? '')
      // A session that is left without a word must not wait for a server that never ends.
      running.unref()
      const command = follow(`bg${++count}`, running, output)
      commands.set(command.id, command)
      return command
    },
    find: (id) => commands.get(id),
    ids: () => [...commands.keys()],
    async close() {
      await Promise.all([...commands.values()].map(({ stop }) => stop()))
    },
  }
}

function follow(id: string, running: Running, output: CollectedOutput): BackgroundCommand {
  const startedAt = clock()
  let ended: { how: ProcessEnd; ms: number } | undefined
  const over = running.ended.then((how) => {
    output.end()
    ended = { how, ms: clock() - startedAt }
  })
  return {
    id,
    output,
    get end() {
      return ended?.how
    },
    get ms() {
      return ended?.ms ?? clock() - startedAt
    },
    read: 0,
    async news(offset, ms, signal) {
      let isLate = signal.aborted
      let stopWaiting = () => {}
      const late = new Promise<void>((resolve) => {
        stopWaiting = () => {
          isLate = true
          resolve()
        }
      })
      const timer = setTimeout(stopWaiting, ms)
      signal.addEventListener('abort', stopWaiting, { once: true })
      while (ended === undefined && !isLate) {
        output.flush()
        if (output.whole.length > offset) break
        await Promise.race([output.more(), over, late])
      }
      clearTimeout(timer)
      signal.removeEventListener('abort', stopWaiting)
    },
    async stop() {
      running.ref()
      running.stop()
      await over
    },
  }
}
