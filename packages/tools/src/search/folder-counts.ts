/** A folder of a listing: the files and folders directly in it, and how many files are anywhere below. */
export interface Folder {
  /** Relative to what is listed; empty for that itself. */
  readonly path: string
  readonly fileCount: number
  files(): string[]
  readonly folders: readonly string[]
  readonly total: number
}

/** Which paths are counted: those that begin so, and that a filter accepts; what they begin with is taken off. */
export interface Selection {
  readonly prefix?: string
  readonly accepts?: (path: string) => boolean
}

/**
 * Sorts paths, each ended by a NUL, into folders. There can be a hundred thousand, of which a few hundred are shown: so
 * a file is no more than the place of its name until someone asks.
 */
export function countFolders(paths: string, { prefix = '', accepts }: Selection = {}): ReadonlyMap<string, Folder> {
  const folders = new Map<string, CountedFolder>()
  const folderAt = (path: string): CountedFolder => {
    const known = folders.get(path)
    if (known) return known
    const made = new CountedFolder(path, paths)
    folders.set(path, made)
    if (path !== '') folderAt(parentOf(path)).folders.push(path.slice(path.lastIndexOf('/') + 1))
    return made
  }
  // Files of one folder mostly come one after the other, but from two sides at once.
  let folder = folderAt('')
  let other = folder
  for (let start = 0, end = paths.indexOf('\0'); end >= 0; start = end + 1, end = paths.indexOf('\0', start)) {
    if (prefix !== '' && !paths.startsWith(prefix, start)) continue
    const from = start + prefix.length
    if (accepts && !accepts(paths.slice(from, end))) continue
    const slash = Math.max(paths.lastIndexOf('/', end), from)
    if (!isIn(folder, paths, { from, slash })) {
      const last = folder
      folder = isIn(other, paths, { from, slash }) ? other : folderAt(paths.slice(from, slash))
      other = last
    }
    folder.starts.push(slash === from ? from : slash + 1)
  }
  for (const { path, fileCount } of folders.values()) {
    for (let above = path; ; above = parentOf(above)) {
      folderAt(above).total += fileCount
      if (above === '') break
    }
  }
  return folders
}

class CountedFolder implements Folder {
  readonly path: string
  readonly folders: string[] = []
  readonly starts: number[] = []
  total = 0
  readonly #paths: string

  constructor(path: string, paths: string) {
    this.path = path
    this.#paths = paths
  }

  get fileCount(): number {
    return this.starts.length
  }

  files(): string[] {
    return this.starts.map((start) => this.#paths.slice(start, this.#paths.indexOf('\0', start)))
  }
}

function isIn({ path }: Folder, paths: string, { from, slash }: { from: number; slash: number }): boolean {
  return path.length === slash - from && paths.startsWith(path, from)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
