import type { Frame } from '../frame.ts'
import type { Key } from '../key.ts'
import type { TextStyle } from '../text-style.ts'
import { cutText, graphemesOf, widthOf } from '../width.ts'
import { nameOfKey } from './edit-keys.ts'
import { createEditing } from './editing.ts'
import { createHistorySearch, type HistorySearch } from './history-search.ts'
import type { Entry } from './input-history.ts'
import type { PasteChips } from './paste-chips.ts'
import { visible } from './unsafe-signs.ts'

/** Ctrl-R: the keys go into a row below the text, and what they find is shown in its place. */
export interface SearchMode {
  readonly isOpen: boolean
  open(): void
  close(): void
  handle(key: Exclude<Key, { kind: 'focus' }>): SearchStep
  /** `source` is what is shown as long as nothing is found. */
  render(options: { width: number; maxRows: number; sign: string; source: string }): Frame
}

/** What a key did: the search goes on, it ended, or it ended and the key is to be handled as if it had not been open. */
export interface SearchStep {
  readonly end: 'going-on' | 'ended' | 'passed-on'
  /** What is to become the text. */
  readonly found?: HistorySearch['found']
}

// The key that opened it, as terminals show it: the row needs a name, and this one is the same in every language.
const SIGN = '^R '

export function createSearchMode({ style, chips, entries }: SearchModeOptions): SearchMode {
  const preview = createEditing({ style, chips })
  let search: HistorySearch | undefined

  const end = (how: SearchStep['end'], found?: HistorySearch['found']): SearchStep => {
    search = undefined
    return { end: how, found }
  }

  const goOn = (): SearchStep => ({ end: 'going-on' })

  return {
    get isOpen() {
      return search !== undefined
    },
    open() {
      search = createHistorySearch(entries)
    },
    close() {
      search = undefined
    },
    handle(key) {
      if (search === undefined) return end('passed-on')
      if (key.kind !== 'key') {
        search.type(key.text.split(/[\r\n]/, 1)[0] ?? '')
        return goOn()
      }
      const name = nameOfKey(key)
      switch (name) {
        case 'ctrl+r':
          search.older()
          return goOn()
        case 'ctrl+s':
          search.newer()
          return goOn()
        case 'backspace':
        case 'ctrl+h':
          search.erase(graphemesOf(search.query).slice(0, -1).join(''))
          return goOn()
        case 'ctrl+u':
          search.erase('')
          return goOn()
        case 'escape':
        case 'ctrl+c':
        case 'ctrl+g':
          return end('ended')
        default:
          return end(name === 'enter' || name === 'tab' ? 'ended' : 'passed-on', search.found)
      }
    },
    render({ width, maxRows, sign, source }) {
      const { query = '', found, hasFailed } = search ?? {}
      preview.setSource(found?.entry.source ?? source)
      if (found !== undefined) preview.moveTo(found.at)
      const mark = found && { from: found.at, length: query.length }
      const { lines } = preview.render({ width, maxRows: Math.max(1, maxRows - 1), sign, mark })
      // Nothing of it is to be undone, and it must not keep what was looked at.
      preview.startAnew()
      const label = width > SIGN.length + 4 ? SIGN : ''
      const shown = lastPart(visible(query), width - label.length - 1)
      const row = style.dim(label) + (hasFailed ? style.red(shown) : shown)
      const all = maxRows > 1 ? [...lines, row] : [row]
      return { lines: all, cursor: { row: all.length - 1, column: Math.min(width - 1, label.length + widthOf(shown)) } }
    },
  }
}

interface SearchModeOptions {
  readonly style: TextStyle
  readonly chips: PasteChips
  readonly entries: readonly Entry[]
}

/** The end of a text, as much as fits. */
function lastPart(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const signs = graphemesOf(text)
  let room = width - 1
  let from = signs.length
  while (from > 0 && widthOf(signs[from - 1] ?? '') <= room) {
    from -= 1
    room -= widthOf(signs[from] ?? '')
  }
  return cutText(`…${signs.slice(from).join('')}`, Math.max(0, width))
}
