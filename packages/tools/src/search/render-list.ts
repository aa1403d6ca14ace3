import type { FilesListed } from './list-files.ts'
import type { Entry } from './plan-list.ts'
import { shownPath } from './shown-path.ts'

/** A listing as text for the model: a path on each line, folders with a slash and the number of files in them. */
export function renderList({ entries }: FilesListed): string {
  return entries.map(renderEntry).join('\n')
}

function renderEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'file':
      return shownPath(entry.path)
    case 'folder':
      return `${shownPath(entry.path)}/ (${countOf(entry.files, 'file')})`
    case 'more': {
      const folders = entry.folders > 0 ? `${countOf(entry.folders, 'folder')} and ` : ''
      return `[${folders}${countOf(entry.files, 'file')} more in ${entry.path === '' ? '.' : shownPath(entry.path)} not shown]`
    }
    default:
      return entry satisfies never
  }
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
