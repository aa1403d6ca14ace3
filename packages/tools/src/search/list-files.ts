import type { Diagnostic } from '@maru/protocol'
import { approach } from '../file-access.ts'
import type { Diagnosed, Inside, Workspace } from '../workspace.ts'
import { type Engine, firstUsable, type Scope } from './engine.ts'
import { countFolders } from './folder-counts.ts'
import { type PathFilter, readPathFilter, rulesForOnly } from './path-filter.ts'
import { type Entry, planList } from './plan-list.ts'
import { readExcludes } from './read-excludes.ts'
import type { Stop } from './ripgrep.ts'
import { SafeTree } from './safe-tree.ts'
import { ENGINES, type SearchOptions } from './search-text.ts'

export interface ListArguments {
  readonly path?: string
  readonly glob?: string
  readonly depth?: number
}

export interface ListOptions extends SearchOptions {
  /** Characters that the entries may take. */
  readonly room?: number
}

/** The files of a folder: as many as fit, and how many there are. Folders that are not opened are entries themselves. */
export interface FilesListed {
  readonly kind: 'listed'
  /** The folder, from the root. */
  readonly path: string
  /** Sorted; their paths are from the root. */
  readonly entries: readonly Entry[]
  readonly total: { readonly files: number; readonly folders: number }
  /** The folder is left out by an ignore rule, and listed because it was named. */
  readonly isIgnored: boolean
  readonly unreadable: number
  readonly stop?: Stop
}

export type ListAnswer = FilesListed | { kind: 'problem'; diagnostic: Diagnostic }

export const LIST_ROOM = 9_000
const TIMEOUT_MS = 20_000

/**
 * Lists the files of a folder that no ignore rule leaves out, hidden ones too. What an engine says is only where to
 * look: every name that is given back was found again from the root without following a link.
 */
export async function listFiles(workspace: Workspace, args: ListArguments, options: ListOptions): Promise<ListAnswer> {
  const filter = readPathFilter(args.glob === undefined ? {} : { include: args.glob })
  if ('problem' in filter) {
    return problem({
      code: 'bad-glob',
      message: `The glob ${filter.problem}.`,
      hint: 'As in "**/*.ts" or "*.{ts,tsx}".',
    })
  }
  const way = await approach(workspace, args.path ?? '.', 'read')
  if (way.kind === 'refused') return problem(way.diagnostic)
  const { place } = way
  const root = await approach(workspace, '.', 'read')
  if (root.kind === 'refused') return problem(root.diagnostic)
  // A folder that cannot be entered says so in its own words.
  const entered = await workspace.enter(place, async () => ({ kind: 'entered' as const }))
  if (entered.kind === 'problem') return entered
  const listed = await listIn(workspace, { lent: root.place, below: place.parts, filter, args, options })
  if (listed.kind === 'problem' || listed.isSeen || place.parts.length === 0) return listed
  const named = await listIn(workspace, { lent: place, below: [], filter, args, options })
  return named.kind === 'problem' ? named : { ...named, isIgnored: named.isSeen }
}

interface Listing {
  /** The folder where the engine looks, whose rules hold. */
  readonly lent: Inside
  /** What is listed of it. */
  readonly below: readonly string[]
  readonly filter: PathFilter
  readonly args: ListArguments
  readonly options: ListOptions
}

type Seen = FilesListed & { isSeen: boolean }

async function listIn(
  workspace: Workspace,
  { lent, below, filter, args, options }: Listing,
): Promise<Seen | Diagnosed> {
  const { signal, engines = ENGINES, timeoutMs = TIMEOUT_MS, room = LIST_ROOM } = options
  return workspace.enter(lent, async (root) => {
    const tree = new SafeTree(root)
    try {
      const rules = [...(below.length > 0 ? rulesForOnly([below]) : []), readExcludes(tree)].join('\n')
      const scope: Scope = { root, tree, rules, names: [], signal, timeoutMs }
      const { paths, unreadable, stop } = await firstUsable(engines, (engine: Engine) => engine.list(scope))
      const prefix = below.map((part) => `${part}/`).join('')
      // Rules only spare the engine work; others in the tree may overrule them.
      const selection = { prefix: `./${prefix}`, ...(args.glob !== undefined && { accepts: filter.accepts }) }
      const folders = countFolders(paths, selection)
      const planned = planList(folders, { room, depth: args.depth ?? Number.POSITIVE_INFINITY })
      const inLent = planned.map((entry) => ({ ...entry, path: prefix + entry.path }))
      const above = lent.parts.map((part) => `${part}/`).join('')
      return {
        kind: 'listed',
        path: [...lent.parts, ...below].join('/') || '.',
        entries: inLent
          .filter((entry) => isThere(tree, entry))
          .map((entry) => ({ ...entry, path: above + entry.path })),
        total: { files: folders.get('')?.total ?? 0, folders: folders.size - 1 },
        isIgnored: false,
        isSeen: paths.startsWith(selection.prefix) || paths.includes(`\0${selection.prefix}`),
        unreadable,
        ...(stop && { stop }),
      }
    } finally {
      tree.close()
    }
  })
}

function isThere(tree: SafeTree, entry: Entry): boolean {
  switch (entry.kind) {
    case 'file':
      return tree.kindOf(entry.path) === 'file'
    case 'folder':
      return tree.kindOf(entry.path) === 'directory'
    case 'more':
      return true
    default:
      return entry satisfies never
  }
}

function problem(diagnostic: Diagnostic): ListAnswer {
  return { kind: 'problem', diagnostic }
}
