import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInsideGit } from '@maru/guard'
import type { Hash } from '@maru/protocol'
import { loadTree } from './hash-tree.ts'
import type { Pack } from './pack.ts'
import type { TreeNode } from './tree.ts'

/**
 * Writes a snapshot into a directory that is new and ours alone; gives the paths that it knew of and has no content
 * for. What git keeps for itself is left out: a repository is not made by copying.
 */
export async function unpackTree(pack: Pack, id: Hash, directory: string): Promise<string[]> {
  const lost: string[] = []
  const unpack = async (hash: Hash, path: string): Promise<void> => {
    const tree = await loadTree(pack, hash)
    if (tree === undefined) {
      lost.push(path === '' ? '.' : path)
      return
    }
    for (const [name, node] of tree) {
      const inner = path === '' ? name : `${path}/${name}`
      if (!isName(name) || isInsideGit(name)) continue
      if ((await write(pack, node, join(directory, inner))) === 'lost') lost.push(inner)
      if (node.kind !== 'directory') continue
      await unpack(node.hash, inner)
      // Only now: it may be one that nothing can be written to.
      await chmod(join(directory, inner), node.mode & 0o7777)
    }
  }
  await unpack(id, '')
  return lost
}

async function write(pack: Pack, node: TreeNode, path: string): Promise<'done' | 'lost'> {
  switch (node.kind) {
    case 'directory':
      await mkdir(path, { mode: 0o700 })
      return 'done'
    case 'link':
      await symlink(node.target, path)
      return 'done'
    case 'file': {
      const bytes = await pack.read(node.hash)
      if (bytes === undefined) return 'lost'
      await writeFile(path, bytes, { flag: 'wx' })
      await chmod(path, node.mode & 0o7777)
      return 'done'
    }
    case 'skipped':
      return 'lost'
    case 'ignored':
      return 'done'
    default:
      return node satisfies never
  }
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)
}
