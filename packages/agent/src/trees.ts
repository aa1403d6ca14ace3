import type { FactOf, Prepared, RunnerFact } from '@maru/protocol'
import type { SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'

/**
 * Keeps the work tree around commands, which alone can change what their tool does not know of. How a command left it is
 * kept when nothing else is to be done, or when the next call has an effect: then one snapshot is the end of one command
 * and the beginning of the next.
 */
export interface Trees {
  /** What goes into the log before this call may have its effect, and the snapshot that it starts from, if any. */
  before(prepared: Prepared, signal: AbortSignal): Promise<{ facts: RunnerFact[]; id?: string }>
  /** The call that started from a snapshot is over. */
  after(callId: string, id: string): void
  /** Keeps what is still to be kept. */
  settle(): Promise<void>
}

type Checkpoint = FactOf<'checkpoint'>

// Long enough for whatever is due now, and short beside the thinking of any model.
const IDLE_MS = 50

export function createTrees({ snapshots }: SessionDeps, ledger: Ledger): Trees {
  let open: { callId: string; id: string } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let settling: Promise<unknown> = Promise.resolve()

  // How the last command left the tree; nothing, if there is none that is open.
  const close = async (): Promise<Checkpoint | undefined> => {
    clearTimeout(timer)
    await settling
    const left = open
    open = undefined
    if (!left) return undefined
    // Also after an interrupt: what the command had done by then is to be known.
    const taken = await snapshots?.take(new AbortController().signal, { since: left.id })
    return taken && { type: 'checkpoint', id: taken.id, callId: left.callId }
  }
  const settle = async () => {
    const left = await close()
    if (left) await ledger.append(left)
  }

  return {
    async before({ access }, signal) {
      const left = await close()
      if (!access.some((one) => one.kind === 'run' && one.proven !== 'read-only')) return { facts: left ? [left] : [] }
      if (left) return { facts: [left, { type: 'checkpoint', id: left.id }], id: left.id }
      const taken = await snapshots?.take(signal)
      if (!taken) return { facts: [] }
      const { id, skipped } = taken
      return { facts: [{ type: 'checkpoint', id, ...(skipped.length > 0 && { skipped }) }], id }
    },
    after(callId, id) {
      open = { callId, id }
      timer = setTimeout(() => {
        // A log that fails is told to whoever writes next.
        settling = settle().catch(() => undefined)
      }, IDLE_MS)
    },
    settle,
  }
}
