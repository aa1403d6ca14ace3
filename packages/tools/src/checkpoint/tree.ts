import type { Hash } from '@maru/protocol'

/** Why something in the work tree is not kept. */
export type SkipReason = 'large' | 'special' | 'unreadable' | 'budget' | 'git'

/**
 * One entry of a directory. `skipped` is there but its content is not kept: `mark` tells one state of it from another.
 * `ignored` is there and none of our business.
 */
export type TreeNode =
  | { readonly kind: 'file'; readonly hash: Hash; readonly size: number; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'directory'; readonly hash: Hash; readonly mode: number }
  | { readonly kind: 'skipped'; readonly why: SkipReason; readonly mark: string }
  | { readonly kind: 'ignored' }

/** A directory's entries by name. Equal directories have equal texts, so a hash stands for all that is below. */
export type Tree = ReadonlyMap<string, TreeNode>

/** The text that a tree is kept as. */
export function renderTree(tree: Tree): string {
  const names = [...tree.keys()].sort()
  return names.map((name) => `${JSON.stringify([name, tree.get(name)])}\n`).join('')
}

/** Reads what `renderTree` wrote; it was checked by its hash before. */
export function parseTree(text: string): Tree {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => JSON.parse(line) as [string, TreeNode]))
}

/** Whether two entries are the same by themselves; for directories: with all that is below. */
export function isSame(one: TreeNode | undefined, other: TreeNode | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  switch (one.kind) {
    case 'file':
      return other.kind === 'file' && one.hash === other.hash && one.mode === other.mode
    case 'link':
      return other.kind === 'link' && one.target === other.target
    case 'directory':
      return other.kind === 'directory' && one.hash === other.hash && one.mode === other.mode
    case 'skipped':
      return other.kind === 'skipped' && one.why === other.why && one.mark === other.mark
    case 'ignored':
      return other.kind === 'ignored'
    default:
      return one satisfies never
  }
}
