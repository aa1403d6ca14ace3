import type { History, OwnHistory } from '@maru/store'
import type { Invocation } from '../command.ts'
import { bringSessions } from '../history/bring-sessions.ts'
import { forgetServed, servedIds } from '../undo/served-trees.ts'
import type { OnLog } from './operator-log.ts'

export interface HouseOptions {
  history: History
  own: OwnHistory
  /** Of nobody's terminal. */
  invocation: Invocation
  onLog: OnLog
}

const EVERY_MS = 5_000
const SWEEP_MS = 60_000
const UPKEEP_MS = 3_600_000

/**
 * What nobody asks for and a server that runs for weeks needs: sessions of terminals that wrote into files, what erased
 * sessions left behind, the database's upkeep. One thing at a time.
 */
export function keepHouse(options: HouseOptions): { stop(): Promise<void> } {
  const stop = new AbortController()
  const { signal } = stop
  const told = new Set<string>()
  const invocation: Invocation = {
    ...options.invocation,
    signal,
    // A session that cannot be read stays so: it is told of once.
    notice: async (line) => {
      if (!told.has(line)) options.onLog({ level: 'warn', event: 'mirror', message: line })
      told.add(line)
    },
  }
  const tasks = [
    task('mirror', 0, () => bringSessions(invocation, options.history, options.own)),
    task('sweep', SWEEP_MS, () => sweepServed(options)),
    task('upkeep', UPKEEP_MS, async () => {
      if ((await options.history.upkeepDue()) === 'due') await options.history.upkeep()
    }),
  ]
  const round = async () => {
    for (const { name, isDue, run } of tasks) {
      if (signal.aborted || !isDue()) continue
      await run().catch((error: unknown) => {
        if (!signal.aborted) options.onLog({ level: 'warn', event: 'housekeeping', task: name, message: `${error}` })
      })
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(round)
  }, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      stop.abort()
      await running
    },
  }
}

function task(name: string, everyMs: number, work: () => Promise<unknown>) {
  let doneAt = Date.now()
  return {
    name,
    isDue: () => Date.now() - doneAt >= everyMs,
    async run() {
      await work()
      doneAt = Date.now()
    },
  }
}

/** Takes away what sessions kept beside the history once nobody has them there any more. */
export async function sweepServed({ history, invocation: { home } }: Pick<HouseOptions, 'history' | 'invocation'>) {
  const left = new Set(servedIds(home))
  for (const { id: owner } of left.size > 0 ? await history.access.people() : []) {
    const own = await history.openOwner(owner)
    for (const id of await own.known([...left])) left.delete(id)
    await own.log.close()
  }
  for (const id of left) forgetServed(home, id, { isWhole: true })
}
