export { applyPatch, planPatch } from './apply-by-hand.ts'
export { type SweepOptions, type Swept, sweepSnapshots } from './checkpoint/sweep-snapshots.ts'
export { createTools, type Toolbox, type ToolsOptions } from './create-tools.ts'
export { addWorktree, type Worktree } from './git/add-worktree.ts'
export { openSnapshots } from './open-snapshots.ts'
export type { PatchPlan, PatchRefusal, PlannedChange } from './patch/patch.ts'
export { openSandbox } from './sandbox/open-sandbox.ts'
export type {
  Sandbox,
  SandboxLevel,
  SandboxNotice,
  SandboxOptions,
  SandboxPromise,
  SandboxState,
  SandboxTrial,
} from './sandbox/sandbox.ts'
export { trySandbox } from './sandbox/try-sandbox.ts'
export { findRipgrep } from './search/find-ripgrep.ts'
export { listPaths, type PathsOptions } from './search/list-paths.ts'
export { type BroughtBack, openPastFiles, type PastFiles, type PastOptions } from './undo/open-past.ts'
export { openWorkspaceUndo, type UndoOptions, type WorkspaceUndo } from './undo/open-undo.ts'
export { type CallEffect, type RunEffects, readRunEffects } from './undo/run-effects.ts'
