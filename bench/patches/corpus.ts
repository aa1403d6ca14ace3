import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Files by path. */
export type Tree = ReadonlyMap<string, string>

/** A damaged patch, the files that it is for, and what should become of them. */
export interface PatchRow {
  readonly id: string
  /** The commit that it comes from. */
  readonly base: string
  readonly kind: string
  readonly patch: string
  readonly before: Tree
  readonly after: Tree
  readonly accept: readonly string[]
}

/** What an applier did: whether it reported success, and the files that it left. */
export interface Outcome {
  readonly ok: boolean
  readonly tree: Tree
}

export type Judgement = 'correct' | 'wrong' | 'rejected' | 'half-applied'

/** `wrong`: success was reported, and some file is not what it should be; a refusal must have changed nothing. */
export function judgeOutcome({ before, after, accept }: PatchRow, { ok, tree }: Outcome): Judgement {
  if (ok) return accept.includes('post') && isSame(tree, after) ? 'correct' : 'wrong'
  if (!isSame(tree, before)) return 'half-applied'
  return accept.includes('reject') ? 'correct' : 'rejected'
}

function isSame(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text)
}

interface StoredFile {
  old: string | null
  path: string
  pre: string | null
  post: string | null
}
interface StoredBase {
  id: string
  files: StoredFile[]
}
interface StoredVariant {
  id: string
  base: string
  kind: string
  patch: string
  files?: StoredFile[]
  accept?: string[]
}

/** The rows of the patches corpus, or nothing where `$MARU_CORPORA` does not point at it. */
export function readPatchCorpus(): PatchRow[] | undefined {
  const root = process.env['MARU_CORPORA']
  if (!root) return undefined
  const bases = new Map(readRows<StoredBase>(root, 'base').map((base) => [base.id, base]))
  return readRows<StoredVariant>(root, 'variants').map(({ files, accept, ...row }) => {
    const own = files ?? bases.get(row.base)?.files ?? []
    return { ...row, accept: accept ?? ['post'], before: treeOf(own, 'pre'), after: treeOf(own, 'post') }
  })
}

function readRows<Row>(root: string, name: string): Row[] {
  const text = gunzipSync(readFileSync(join(root, 'patches', `${name}.jsonl.gz`))).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

function treeOf(files: readonly StoredFile[], side: 'pre' | 'post'): Tree {
  const tree = new Map<string, string>()
  for (const file of files) {
    const text = file[side]
    if (text !== null) tree.set(side === 'pre' ? (file.old ?? file.path) : file.path, text)
  }
  return tree
}
