import type { Prepared } from '@maru/protocol'

/** Works out what a patch does to the files below `root`, for a person who applies it themselves. */
export async function applyPatch(root: string, patch: string): Promise<Prepared> {
  const { preparePatch } = await import('./apply-patch.ts')
  const { createWorkspace } = await import('./workspace.ts')
  return preparePatch(createWorkspace(root), patch)
}
