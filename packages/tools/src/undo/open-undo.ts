import type { Diagnostic, FileChange, Hash } from '@maru/protocol'
import type { Checkpoints } from '../checkpoint/open-checkpoints.ts'
import type { RunEffects } from './run-effects.ts'
import type { Undone } from './undo-run.ts'

export interface UndoOptions {
  root: string
  /** Where the snapshots of the session are. */
  store: string
  /** Content that file tools kept, by its hash. */
  content(hash: Hash): Promise<Uint8Array | undefined>
}

/** Looks at, and takes back, what runs did in a workspace. */
export interface WorkspaceUndo {
  undo(
    run: RunEffects,
    options: { signal: AbortSignal; overwrite?: readonly string[]; dryRun?: boolean },
  ): Promise<Undone | { problem: Diagnostic }>
  /** A diff from before the first of these runs to now, of the files that they changed. */
  diff(runs: readonly RunEffects[], signal: AbortSignal): Promise<string>
  /** The files that these runs changed, from before the first to behind the last. */
  files(runs: readonly RunEffects[], signal: AbortSignal): Promise<FileChange[]>
  close(): Promise<void>
}

export function openWorkspaceUndo({ root, store, content }: UndoOptions): WorkspaceUndo {
  let opened: Promise<Checkpoints> | undefined
  const checkpoints = () => {
    opened ??= import('../checkpoint/open-checkpoints.ts').then(({ openCheckpoints }) =>
      openCheckpoints({ root, store }),
    )
    return opened
  }
  const workspace = async () => (await import('../workspace.ts')).createWorkspace(root)
  return {
    async undo(run, { signal, overwrite = [], dryRun = false }) {
      const { undoRun } = await import('./undo-run.ts')
      return undoRun(run, { workspace: await workspace(), content, checkpoints, signal, overwrite, dryRun })
    },
    async diff(runs, signal) {
      const { diffRuns } = await import('./diff-runs.ts')
      return diffRuns(runs, { workspace: await workspace(), content, checkpoints, signal })
    },
    async files(runs, signal) {
      const { filesOfRuns } = await import('./diff-runs.ts')
      return filesOfRuns(runs, { workspace: await workspace(), content, checkpoints, signal })
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
