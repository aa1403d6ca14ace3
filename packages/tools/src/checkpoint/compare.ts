import type { FileChange, Hash } from '@maru/protocol'
import { isSame, type Tree, type TreeNode } from './tree.ts'

/** How an entry differs between two states; absent where there was or is none. */
export interface Change {
  readonly path: string
  readonly before?: TreeNode
  readonly after?: TreeNode
}

export type Load = (hash: Hash) => Promise<Tree>

/** What differs between two stored trees, each entry by itself, in the order of their names. */
export async function compareTrees(load: Load, before: Hash, after: Hash): Promise<Change[]> {
  const changes: Change[] = []
  const compare = async (prefix: string, one: Tree, other: Tree) => {
    for (const name of namesOf(one, other)) await compareNodes(prefix + name, one.get(name), other.get(name))
  }
  const compareNodes = async (path: string, one: TreeNode | undefined, other: TreeNode | undefined) => {
    const [old, now] = [ours(one), ours(other)]
    if (isSame(old, now) || one?.kind === 'ignored') return
    const isMoreThanBelow = old?.kind !== 'directory' || now?.kind !== 'directory' || old.mode !== now.mode
    if (isMoreThanBelow) changes.push({ path, ...(old && { before: old }), ...(now && { after: now }) })
    if (old?.kind !== 'directory' && now?.kind !== 'directory') return
    await compare(`${path}/`, await treeOf(load, old), await treeOf(load, now))
  }
  if (before !== after) await compare('', await load(before), await load(after))
  return changes
}

/** The tree of a directory; of anything else an empty one. */
export async function treeOf(load: Load, node: TreeNode | undefined): Promise<Tree> {
  return node?.kind === 'directory' ? load(node.hash) : new Map()
}

/** All names of some trees, sorted. */
export function namesOf(...trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap((tree) => [...tree.keys()]))].sort()
}

function ours(node: TreeNode | undefined): TreeNode | undefined {
  return node?.kind === 'ignored' ? undefined : node
}

/** The changes to contents of files, as the log has them. */
export function fileChanges(changes: readonly Change[]): FileChange[] {
  return changes.flatMap(({ path, before, after }) => {
    const [old, now] = [before, after].map((node) => (node?.kind === 'file' ? node.hash : undefined))
    if (old === now) return []
    return [{ path, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }]
  })
}
