import { beginning } from '@maru/agent'

/** How much of a file has changed; both are 0 for what is binary or only renamed. */
export interface FileStat {
  readonly path: string
  readonly from?: string
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
}

/** Reads `git diff --numstat -z`. */
export function parseNumstat(text: string): FileStat[] {
  const stats: FileStat[] = []
  const records = text.split('\0')
  for (let at = 0; at < records.length; at++) {
    const fields = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(records[at] ?? '')
    if (fields === null) continue
    const [, added = '-', removed = '-', path = ''] = fields
    const counts = { added: Number(added) || 0, removed: Number(removed) || 0, isBinary: added === '-' }
    // A rename leaves the path empty and names both in records of their own.
    if (path !== '') {
      // A file in conflict is counted once without and once with its content.
      if (stats.at(-1)?.path === path) stats.pop()
      stats.push({ path, ...counts })
    } else stats.push({ from: records[++at] ?? '', path: records[++at] ?? '', ...counts })
  }
  return stats
}

const MOST_FILES = 40

/** One line for each file, and their sum. */
export function renderStats(stats: readonly FileStat[]): string {
  const added = stats.reduce((sum, stat) => sum + stat.added, 0)
  const removed = stats.reduce((sum, stat) => sum + stat.removed, 0)
  const rest = stats.length - MOST_FILES
  return [
    `${stats.length} ${stats.length === 1 ? 'file' : 'files'}, +${added} -${removed}`,
    ...stats.slice(0, MOST_FILES).map(renderStat),
    ...(rest > 0 ? [`  [… ${rest} more files]`] : []),
    '',
  ].join('\n')
}

function renderStat({ path, from, added, removed, isBinary }: FileStat): string {
  const name = from === undefined ? path : `${from} → ${path}`
  return `  ${beginning(name, 120)} ${isBinary ? '(binary)' : `+${added} -${removed}`}`
}

const LINE_LIMIT = 500

interface Room {
  lines: number
  characters: number
  /** The diff given is only the beginning of one. */
  isCut: boolean
}

/** As much of a diff as fits: every file gets a fair share, cut at a line, and every cut is stated. */
export function fitDiff(diff: string, { lines, characters, isCut }: Room): string {
  const files = diff.split(/^(?=diff --)/m).filter((part) => part.startsWith('diff --'))
  const shown: string[] = []
  let room = { lines, characters }
  for (const [at, file] of files.entries()) {
    const left = files.length - at
    // What files before did not need goes to those after; but each shows something or is only counted.
    const share = { lines: Math.floor(room.lines / left), characters: Math.floor(room.characters / left) }
    const part = fitFile(file, { lines: Math.max(share.lines, 12), characters: Math.max(share.characters, 600) })
    if (part.length > room.characters || room.lines <= 0) {
      shown.push(`[… the diffs of ${left} more ${left === 1 ? 'file' : 'files'} are not shown; ask with path]`)
      return shown.join('\n')
    }
    shown.push(part)
    room = { lines: room.lines - part.split('\n').length, characters: room.characters - part.length - 1 }
  }
  if (isCut) shown.push('[… the diff is longer than could be read; ask with path]')
  return shown.join('\n')
}

function fitFile(file: string, { lines, characters }: { lines: number; characters: number }): string {
  const all = file.trimEnd().split('\n')
  const kept: string[] = []
  let length = 0
  for (const line of all) {
    const cut = line.length > LINE_LIMIT ? `${beginning(line, LINE_LIMIT)} [… cut]` : line
    if (kept.length >= lines || length + cut.length > characters - 80) break
    kept.push(cut)
    length += cut.length + 1
  }
  const rest = all.length - kept.length
  return [...kept, ...(rest > 0 ? [`[… ${rest} more lines of this file; ask with its path]`] : [])].join('\n')
}
