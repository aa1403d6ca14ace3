import type { Prepared } from '@maru/protocol'
import type { PatchPlan, PatchRefusal } from './patch/patch.ts'
import type { PatchSource } from './patch/plan-file.ts'

/** Works out what a patch does to the files below `root`, for a person who applies it themselves. */
export async function applyPatch(root: string, patch: string): Promise<Prepared> {
  const { preparePatch } = await import('./apply-patch.ts')
  const { createWorkspace } = await import('./workspace.ts')
  return preparePatch(createWorkspace(root), patch)
}

/** What a patch makes of some files, wherever they are; changes nothing. */
export async function planPatch(text: string, source: PatchSource): Promise<PatchPlan | PatchRefusal> {
  // The applier is large, and whoever only names the tools does not need it.
  return (await import('./patch/plan-patch.ts')).planPatch(text, source)
}
