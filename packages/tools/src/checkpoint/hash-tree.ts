import type { Hash } from '@maru/protocol'
import { hashOf } from '../hash.ts'
import type { Pack } from './pack.ts'
import type { SeenDirectory, SeenEntry } from './seen.ts'
import { parseTree, renderTree, type Tree, type TreeNode } from './tree.ts'

/** Stores the trees that have changed; the hash of the topmost stands for everything below. */
export function storeTree(directory: SeenDirectory, pack: Pack): Hash {
  if (directory.hash !== undefined) return directory.hash
  const nodes = [...directory.entries].map(([name, entry]) => [name, nodeOf(entry, pack)] as const)
  const text = Buffer.from(renderTree(new Map(nodes)))
  const hash = hashOf(text)
  pack.add(hash, text)
  directory.hash = hash
  return hash
}

function nodeOf(entry: SeenEntry, pack: Pack): TreeNode {
  if (entry.kind === 'leaf') return entry.node
  return { kind: 'directory', hash: storeTree(entry.directory, pack), mode: entry.directory.mode }
}

/** A stored tree, or nothing if the store does not have it. */
export async function loadTree(pack: Pack, hash: Hash): Promise<Tree | undefined> {
  const text = await pack.read(hash)
  return text === undefined ? undefined : parseTree(text.toString())
}

/** Every path of a stored tree that was kept or noted, but for what was ignored. */
export async function pathsOf(pack: Pack, hash: Hash, prefix = ''): Promise<Set<string>> {
  const paths = new Set<string>()
  for (const [name, node] of (await loadTree(pack, hash)) ?? []) {
    if (node.kind === 'ignored') continue
    paths.add(prefix + name)
    if (node.kind !== 'directory') continue
    for (const path of await pathsOf(pack, node.hash, `${prefix}${name}/`)) paths.add(path)
  }
  return paths
}
