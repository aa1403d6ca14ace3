import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Hash } from '@maru/protocol'
import type { Root } from '../walk.ts'
import { applyStep } from './apply-step.ts'
import { type Change, type Load, treeOf } from './compare.ts'
import type { Pack } from './pack.ts'
import { type Conflict, planRestore, type Step } from './plan-restore.ts'
import type { SeenDirectory, SeenEntry } from './seen.ts'
import type { TreeNode } from './tree.ts'

export interface RestoreContext {
  readonly root: Root
  readonly pack: Pack
  /** The work tree as it was just seen. */
  readonly top: SeenDirectory
  readonly load: Load
  mayOverwrite(path: string): boolean
  readonly dryRun: boolean
}

/** Plans the way from `now` back to `before` and goes it, step by step. */
export async function restoreTree(
  states: { before: Hash; after: Hash; now: Hash },
  context: RestoreContext,
): Promise<{ restored: Change[]; conflicts: Conflict[] }> {
  const { load, mayOverwrite, dryRun } = context
  const asNode = (hash: Hash): TreeNode => ({ kind: 'directory', hash, mode: 0 })
  const nodes = { before: asNode(states.before), after: asNode(states.after), now: asNode(states.now) }
  const plan = await planRestore(nodes, { load, mayOverwrite })
  const conflicts = [...plan.conflicts]
  const restored = new Map<string, Change>()
  for (const step of plan.steps) {
    const why = dryRun ? undefined : await attempt(step, context)
    if (why !== undefined) conflicts.push({ path: step.path, why })
    else if (!restored.has(step.path)) {
      const [before, after] = [await nodeAt(nodes.now, step.path, load), await nodeAt(nodes.before, step.path, load)]
      restored.set(step.path, { path: step.path, ...(before && { before }), ...(after && { after }) })
    }
  }
  return { restored: [...restored.values()].filter(isOfItsOwn), conflicts }
}

// A directory that was only unlocked for a while is as it was.
function isOfItsOwn({ before, after }: Change): boolean {
  return before?.kind !== 'directory' || after?.kind !== 'directory' || before.mode !== after.mode
}

async function attempt(step: Step, { root, pack, top }: RestoreContext): Promise<Conflict['why'] | undefined> {
  // Let others have their turn between two files.
  await nextTurn()
  const content = step.act === 'write' && step.node.kind === 'file' ? await pack.read(step.node.hash) : NOTHING
  if (content === undefined) return 'not-kept'
  const seen = findSeen(top, step.path)
  const expected = seen?.kind === 'leaf' ? seen.stamp : undefined
  try {
    return applyStep(step, { root, content, expected }) === 'changed' ? 'changed-since' : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === undefined && !(error instanceof Error && error.name === 'FileProblem')) throw error
    return code === 'ENOTEMPTY' || code === 'EEXIST' ? 'not-empty' : 'failed'
  }
}

const NOTHING = Buffer.alloc(0)

function findSeen(top: SeenDirectory, path: string): SeenEntry | undefined {
  const parts = path.split('/')
  let directory: SeenDirectory | undefined = top
  for (const part of parts.slice(0, -1)) {
    const entry: SeenEntry | undefined = directory?.entries.get(part)
    directory = entry?.kind === 'directory' ? entry.directory : undefined
  }
  return directory?.entries.get(parts.at(-1) ?? '')
}

async function nodeAt(node: TreeNode, path: string, load: Load): Promise<TreeNode | undefined> {
  let at: TreeNode | undefined = node
  for (const part of path.split('/')) at = (await treeOf(load, at)).get(part)
  return at
}
