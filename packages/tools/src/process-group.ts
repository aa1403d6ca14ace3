import { endTree, noteTree } from './command/process-tree.ts'
import { signalGroup } from './command/signal-group.ts'

export { signalGroup }

// For programs of our own that leave nobody behind: known by their group alone.
const treeOf = (group: number) => ({ leader: group, startedAt: 0 })

/** Notes a group that must not outlive this process, until the returned function is called. */
export function noteGroup(group: number): () => void {
  return noteTree(treeOf(group))
}

/** Ends what is left of a group, first kindly; says whether anything was. Returns when it is gone. */
export async function endGroup(group: number, graceMs: number): Promise<boolean> {
  return endTree(treeOf(group), graceMs)
}
