import { isInsideGit } from '@maru/guard'
import type { Hash } from '@maru/protocol'
import { hashOf } from '../hash.ts'
import { loadTree } from './hash-tree.ts'
import type { Pack } from './pack.ts'
import { renderTree, type Tree, type TreeNode } from './tree.ts'

/** What a file shall be in a snapshot: these bytes, or nothing. */
export type Wanted = { readonly content: Uint8Array; readonly mode?: number } | 'absent'

const FILE_MODE = 0o644
const DIRECTORY_MODE = 0o755

/** Stores a snapshot that is another one but for some files; the other has to be there. */
export async function deriveTree(pack: Pack, id: Hash, wanted: ReadonlyMap<string, Wanted>): Promise<Hash> {
  const usable = [...wanted].filter(([path]) => isPlain(path))
  if (usable.length === 0) return id
  const { hash } = await derive(pack, await loadTree(pack, id), new Map(usable))
  return hash
}

async function derive(
  pack: Pack,
  tree: Tree | undefined,
  wanted: ReadonlyMap<string, Wanted>,
): Promise<{ hash: Hash; isEmpty: boolean }> {
  const nodes = new Map<string, TreeNode>(tree ?? [])
  const below = new Map<string, Map<string, Wanted>>()
  for (const [path, want] of wanted) {
    const slash = path.indexOf('/')
    if (slash < 0) put(pack, nodes, { name: path, want })
    else {
      const name = path.slice(0, slash)
      const inner = below.get(name) ?? new Map<string, Wanted>()
      below.set(name, inner.set(path.slice(slash + 1), want))
    }
  }
  for (const [name, inner] of below) {
    const node = nodes.get(name)
    const directory = node?.kind === 'directory' ? node : undefined
    const { hash, isEmpty } = await derive(pack, directory && (await loadTree(pack, directory.hash)), inner)
    // A directory that holds nothing any more was made for what was in it.
    if (isEmpty) nodes.delete(name)
    else nodes.set(name, { kind: 'directory', hash, mode: directory?.mode ?? DIRECTORY_MODE })
  }
  const text = Buffer.from(renderTree(nodes))
  const hash = hashOf(text)
  pack.add(hash, text)
  return { hash, isEmpty: nodes.size === 0 }
}

function put(pack: Pack, nodes: Map<string, TreeNode>, { name, want }: { name: string; want: Wanted }): void {
  if (want === 'absent') {
    nodes.delete(name)
    return
  }
  const { content, mode } = want
  const old = nodes.get(name)
  const hash = hashOf(content)
  pack.add(hash, content)
  const kept = mode ?? (old?.kind === 'file' ? old.mode : FILE_MODE)
  nodes.set(name, { kind: 'file', hash, size: content.length, mode: kept & 0o7777 })
}

// What a log says is not believed blindly.
function isPlain(path: string): boolean {
  return !isInsideGit(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
