import type { Folder } from './folder-counts.ts'

/** One line of a listing. `more`: files of a folder that did not fit. Paths are relative to what is listed. */
export type Entry =
  | { kind: 'file'; path: string }
  | { kind: 'folder'; path: string; files: number }
  | { kind: 'more'; path: string; files: number; folders: number }

/**
 * Chooses what to show in `room` characters: the top level always, then folder after folder is opened while there is
 * room, the upper ones first and of those the small ones. A folder that is not opened says how many files it holds.
 */
export function planList(
  folders: ReadonlyMap<string, Folder>,
  { room, depth }: { room: number; depth: number },
): Entry[] {
  const top = folders.get('')
  if (top === undefined) return []
  const opened = new Map<string, Entry[]>([['', takeWhatFits(entriesOf(top, folders), top, room)]])
  let left = room - costOf(opened.get('') ?? [])
  let level = foldersIn(opened.get('') ?? [])
  for (let at = 1; at < depth && level.length > 0; at++) {
    const next: Entry[] = []
    for (const folder of level.sort((a, b) => a.files - b.files || compare(a.path, b.path))) {
      const own = folders.get(folder.path)
      if (own === undefined || leastCostOf(own) > left) continue
      const entries = entriesOf(own, folders)
      const cost = costOf(entries) - costOf([folder])
      if (cost > left) continue
      left -= cost
      opened.set(folder.path, entries)
      next.push(...entries)
    }
    level = foldersIn(next)
  }
  return unfold('', opened)
}

type FolderEntry = Extract<Entry, { kind: 'folder' }>

function foldersIn(entries: readonly Entry[]): FolderEntry[] {
  return entries.filter((entry) => entry.kind === 'folder')
}

function entriesOf(folder: Folder, folders: ReadonlyMap<string, Folder>): Entry[] {
  const { path, folders: names } = folder
  const below = (name: string) => (path === '' ? name : `${path}/${name}`)
  const entries: Entry[] = [
    ...names.map((name) => ({
      kind: 'folder' as const,
      path: below(name),
      files: folders.get(below(name))?.total ?? 0,
    })),
    ...folder.files().map((name) => ({ kind: 'file' as const, path: below(name) })),
  ]
  return entries.sort((a, b) => compare(a.path, b.path))
}

// Folders are kept before files: they are fewer and say more.
function takeWhatFits(entries: readonly Entry[], { path }: Folder, room: number): Entry[] {
  if (costOf(entries) <= room) return [...entries]
  const kept: Entry[] = []
  let left = room - LONGEST_NOTE
  for (const entry of [...foldersIn(entries), ...entries.filter(({ kind }) => kind === 'file')]) {
    left -= costOf([entry])
    if (left < 0) break
    kept.push(entry)
  }
  const folders = foldersIn(entries).length - foldersIn(kept).length
  const files = entries.length - kept.length - folders
  return [...kept.sort((a, b) => compare(a.path, b.path)), { kind: 'more', path, files, folders }]
}

function unfold(path: string, opened: ReadonlyMap<string, Entry[]>): Entry[] {
  return (opened.get(path) ?? []).flatMap((entry) =>
    entry.kind === 'folder' && opened.has(entry.path) ? unfold(entry.path, opened) : [entry],
  )
}

const LONGEST_NOTE = 60

// Enough to pass over the large ones without looking at each of their files.
function leastCostOf({ path, fileCount, folders }: Folder): number {
  return (path.length + 2) * (fileCount + folders.length - 1)
}

const COSTS: Record<Entry['kind'], number> = { file: 1, folder: 20, more: LONGEST_NOTE }

function costOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { path, kind }) => sum + path.length + COSTS[kind], 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
