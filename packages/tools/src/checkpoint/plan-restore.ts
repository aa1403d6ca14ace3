import { isInsideGit } from '@maru/guard'
import { type Load, namesOf, treeOf } from './compare.ts'
import { isSame, type TreeNode } from './tree.ts'

type Kept = Extract<TreeNode, { kind: 'file' | 'link' }>

/** One thing to do; each is done only if what is there is still what was there when the plan was made. */
export type Step =
  | { readonly act: 'remove' | 'remove-directory' | 'make-directory'; readonly path: string }
  | { readonly act: 'write'; readonly path: string; readonly node: Kept }
  | { readonly act: 'mode'; readonly path: string; readonly mode: number }

/** Why something is left as it is. */
export interface Conflict {
  readonly path: string
  readonly why: 'changed-since' | 'not-kept' | 'not-empty' | 'failed'
}

export interface RestorePlan {
  readonly steps: Step[]
  readonly conflicts: Conflict[]
}

/** A path in three states: as it shall be again, as the run left it, and as it is. */
interface States {
  readonly before: TreeNode | undefined
  readonly after: TreeNode | undefined
  readonly now: TreeNode | undefined
}

/**
 * How to take back what differs between `before` and `after`. What is now other than `after` was changed by somebody
 * else since, and is left alone unless `mayOverwrite` says otherwise.
 */
export async function planRestore(
  states: { before: TreeNode; after: TreeNode; now: TreeNode },
  { load, mayOverwrite }: { load: Load; mayOverwrite(path: string): boolean },
): Promise<RestorePlan> {
  const steps: Step[] = []
  const conflicts: Conflict[] = []
  const leave = (path: string, why: Conflict['why']) => void conflicts.push({ path, why })

  async function plan(path: string, given: States): Promise<void> {
    const states = mayOverwrite(path) ? { ...given, after: given.now } : given
    const { before, after, now } = states
    if (before?.kind === 'ignored' || isSame(before, after) || isSame(before, now)) return
    // Nothing of a repository is touched but the file that leads from a submodule to its own.
    if (isInsideGit(path) && !isPointer(path, states)) return now === undefined ? leave(path, 'not-kept') : undefined
    if (now?.kind === 'directory' && before?.kind === 'directory') return planDirectory(path, states)
    if (now?.kind === 'directory' && after?.kind === 'directory') return planReplaced(path, states)
    // Ignored now, so nobody knows what is in it; and what was created ignored is left alone.
    if (after?.kind === 'ignored' && before === undefined) return
    if (!isSame(after, now) || now?.kind === 'ignored') return leave(path, 'changed-since')
    if (before?.kind === 'skipped') return leave(path, 'not-kept')
    if (before?.kind === 'file' || before?.kind === 'link') return void steps.push({ act: 'write', path, node: before })
    if (now !== undefined) steps.push({ act: 'remove', path })
    if (before?.kind === 'directory') await planMissing(path, before)
  }

  async function planBelow(path: string, { before, after, now }: States): Promise<void> {
    const [old, left, here] = await Promise.all([before, after, now].map((node) => treeOf(load, node)))
    if (old === undefined || left === undefined || here === undefined) return
    for (const name of namesOf(old, left, here)) {
      const inner = { before: old.get(name), after: left.get(name), now: here.get(name) }
      await plan(path === '' ? name : `${path}/${name}`, inner)
    }
  }

  async function planDirectory(path: string, states: States): Promise<void> {
    const { before, after, now } = states
    if (now?.kind !== 'directory' || before?.kind !== 'directory') return
    const first = steps.length
    await planBelow(path, states)
    const isTheirs = after?.kind !== 'directory' || after.mode !== now.mode
    const wanted = before.mode === now.mode || isTheirs ? now.mode : before.mode
    if (before.mode !== now.mode && isTheirs && !isSameMode(before, after)) leave(path, 'changed-since')
    // A directory that may not be written to is opened for as long as it takes.
    const isLocked = steps.length > first && (now.mode & 0o300) !== 0o300
    if (isLocked) steps.splice(first, 0, { act: 'mode', path, mode: now.mode | 0o700 })
    if (isLocked || wanted !== now.mode) steps.push({ act: 'mode', path, mode: wanted })
  }

  // The run made a directory where there was none, or something else.
  async function planReplaced(path: string, states: States): Promise<void> {
    const { before, after, now } = states
    const found = conflicts.length
    const first = steps.length
    await planBelow(path, { before: undefined, after, now })
    const isEmptied = conflicts.length === found && (await isCovered(after, now))
    if (now?.kind === 'directory' && (now.mode & 0o300) !== 0o300) {
      steps.splice(first, 0, { act: 'mode', path, mode: now.mode | 0o700 })
      if (!isEmptied) steps.push({ act: 'mode', path, mode: now.mode })
    }
    if (isEmptied) steps.push({ act: 'remove-directory', path })
    if (before === undefined) return
    if (!isEmptied) leave(path, 'not-empty')
    else if (before.kind === 'skipped') leave(path, 'not-kept')
    else if (before.kind === 'file' || before.kind === 'link') steps.push({ act: 'write', path, node: before })
  }

  // Whether nothing is in `now` that was not in `after`: else somebody put it there, and it stays with its directory.
  async function isCovered(after: TreeNode | undefined, now: TreeNode | undefined): Promise<boolean> {
    const [left, here] = [await treeOf(load, after), await treeOf(load, now)]
    for (const [name, node] of here) {
      const known = left.get(name)
      if (known === undefined || node.kind === 'ignored' || isRepository(name, node)) return false
      if (node.kind === 'directory' && !(await isCovered(known, node))) return false
    }
    return true
  }

  async function planMissing(path: string, node: Extract<TreeNode, { kind: 'directory' }>): Promise<void> {
    steps.push({ act: 'make-directory', path })
    await planBelow(path, { before: node, after: undefined, now: undefined })
    steps.push({ act: 'mode', path, mode: node.mode })
  }

  await planBelow('', states)
  return { steps, conflicts }
}

function isRepository(name: string, node: TreeNode): boolean {
  return isInsideGit(name) && node.kind !== 'file'
}

function isPointer(path: string, states: States): boolean {
  const [, above] = /^(.+)\/[^/]+$/s.exec(path) ?? []
  const nodes = [states.before, states.after, states.now]
  return above !== undefined && !isInsideGit(above) && nodes.every((node) => (node ?? FILE).kind === 'file')
}

const FILE = { kind: 'file' } as const

function isSameMode(one: TreeNode, other: TreeNode | undefined): boolean {
  return one.kind === 'directory' && other?.kind === 'directory' && one.mode === other.mode
}
