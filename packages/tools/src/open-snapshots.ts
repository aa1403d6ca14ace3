import type { Snapshots } from '@maru/agent'
import type { Checkpoints } from './checkpoint/open-checkpoints.ts'

export interface SnapshotsOptions {
  root: string
  /** Where they are kept: one place for all sessions of a work tree, as most of it is the same in each. */
  store(): string
  environment: Readonly<Record<string, string | undefined>>
  /** Told once why none can be kept. */
  onProblem(message: string): void
}

/** Snapshots of a work tree, opened when the first is taken. */
export function openSnapshots(options: SnapshotsOptions): Snapshots & { close(): Promise<void> } {
  const { root, store, environment, onProblem } = options
  let opened: Promise<Checkpoints | undefined> | undefined
  const give = (message: string) => {
    onProblem(message)
    return undefined
  }
  const open = async () => {
    const { openCheckpoints } = await import('./checkpoint/open-checkpoints.ts')
    return openCheckpoints({ root, store: store(), environment }).catch((error: Error) => give(error.message))
  }
  return {
    async take(signal, { since } = {}) {
      opened ??= open()
      const checkpoints = await opened
      const taken = await checkpoints?.take(signal, since === undefined ? {} : { since })
      if (!taken) return undefined
      if (taken.kind === 'problem') return give(taken.diagnostic.message)
      return { id: taken.id, skipped: taken.skipped.map(({ path }) => path).slice(0, MOST_NAMED) }
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

const MOST_NAMED = 20
