import type { ImportStep, SessionStep, TimedFact } from './steps.ts'

/** A message of a conversation that is a tree, or a place in it where nothing is said. */
export interface TreeNode {
  id: string
  parent: string | undefined
  facts: TimedFact[]
}

interface Branch {
  start: string
  /** Where it leaves another: a session, and the last node there. Absent for the trunk. */
  fork?: { of: string; behind?: string }
}

/**
 * A tree as sessions: the trunk is the conversation, and each other way through it is a fork. A branch is named by where
 * it begins, and the first child goes on, whichever the person looked at last: so a tree that has grown since gives the
 * same sessions, longer.
 */
export function* treeSteps(session: SessionStep, nodes: TreeNode[]): Generator<ImportStep, void> {
  yield session
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const children = new Map<string | undefined, string[]>()
  for (const { id, parent } of nodes) {
    const above = parent !== undefined && byId.has(parent) && parent !== id ? parent : undefined
    children.set(above, [...(children.get(above) ?? []), id])
  }
  const [first, ...others] = children.get(undefined) ?? []
  const waiting: Branch[] = others.map((start) => ({ start, fork: { of: session.key } })).reverse()
  if (first !== undefined) waiting.push({ start: first })
  const seen = new Set<string>()
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    yield* walk(branch, { session, byId, children, seen, waiting })
  }
}

interface Walk {
  session: SessionStep
  byId: Map<string, TreeNode>
  children: Map<string | undefined, string[]>
  seen: Set<string>
  waiting: Branch[]
}

function* walk(branch: Branch, { session, byId, children, seen, waiting }: Walk): Generator<ImportStep, void> {
  let key = branch.fork ? undefined : session.key
  let behind: string | undefined
  for (let id: string | undefined = branch.start; id !== undefined && !seen.has(id); ) {
    seen.add(id)
    const { facts } = byId.get(id) as TreeNode
    if (facts.length > 0 && key === undefined) {
      key = `${session.key}/${branch.start}`
      const at = facts[0]?.at ?? session.at
      yield { ...session, key, ...(at !== undefined && { at }), ...(branch.fork && { fork: branch.fork }) }
    }
    for (const fact of facts) yield { kind: 'fact', session: key as string, node: id, ...fact }
    if (facts.length > 0) behind = id
    const [next, ...others]: string[] = children.get(id) ?? []
    const place = behind === undefined ? (branch.fork ?? { of: session.key }) : { of: key as string, behind }
    for (const other of others.reverse()) waiting.push({ start: other, fork: place })
    id = next
  }
}
