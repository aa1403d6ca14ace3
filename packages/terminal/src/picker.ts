import { editCommandFor, nameOfKey } from './editor/edit-keys.ts'
import { createEditing } from './editor/editing.ts'
import { createPasteChips } from './editor/paste-chips.ts'
import type { Frame } from './frame.ts'
import type { Key } from './key.ts'
import type { PickerItem, PickerOptions } from './picker/picker-options.ts'
import { createPickerView } from './picker/picker-view.ts'

export type PickerOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'chosen'; readonly value: string }
  /** Never blank. */
  | { readonly kind: 'words'; readonly words: string }
  | { readonly kind: 'cancel' }

/** A list to choose one from: with the arrows, with its number, by a part of it, or with own words. */
export interface Picker {
  handle(key: Key): PickerOutcome
  /** At most `maxRows` lines; the selected item is always among them. */
  render(width: number, maxRows: number): Frame
}

const NONE = { kind: 'none' } as const
const CHANGED = { kind: 'changed' } as const
const PAGE = 8

export function createPicker(options: PickerOptions): Picker {
  const { style, items, canType = false, isSearchable = false } = options
  // Without words, as a picker has none for it: ↵ says that there are lines.
  const chips = createPasteChips((lines, number) => `[#${number} ${lines}↵]`)
  const words = createEditing({ style, chips })
  const query = createEditing({ style, chips })
  const searched = items.map(({ label, detail = '' }) => folded(`${label} ${detail}`))
  let shown: readonly PickerItem[] = items
  // Among those that are shown; one more than these is the line for words, -1 is none of them.
  let selected = 0
  // Where Escape goes back to from that line.
  let last = 0

  const count = () => shown.length + (canType ? 1 : 0)
  const isTyping = () => canType && selected === shown.length

  const select = (index: number) => {
    if (!isTyping()) last = selected
    selected = index
    return CHANGED
  }
  const move = (by: -1 | 1) => {
    if (count() === 0) return NONE
    const from = selected < 0 && by < 0 ? 0 : selected
    return select((from + by + count()) % count())
  }
  const page = (by: number) => (count() === 0 ? NONE : select(Math.min(count() - 1, Math.max(0, selected + by))))

  const filter = () => {
    const wanted = folded(query.text)
    shown = wanted === '' ? items : items.filter((_, index) => searched[index]?.includes(wanted))
    // Not the line for words, which has moved up: what is typed on belongs to the search.
    selected = shown.length === 0 ? -1 : 0
    last = 0
    return CHANGED
  }

  const take = (key: { kind: 'text' | 'paste'; text: string }): PickerOutcome => {
    if (key.text === '') return NONE
    if (isTyping()) return write(key)
    if (isSearchable) {
      query.type(key.text.replace(/\s+/g, ' '))
      return filter()
    }
    const number = key.kind === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) : 0
    const item = items[number - 1]
    if (item !== undefined) return { kind: 'chosen', value: item.value }
    if (!canType) return NONE
    select(shown.length)
    return number === count() ? CHANGED : write(key)
  }

  const write = ({ kind, text }: { kind: 'text' | 'paste'; text: string }) => {
    if (kind === 'paste') words.paste(text)
    else words.type(text)
    return CHANGED
  }

  const enter = (): PickerOutcome => {
    const item = shown[selected]
    if (item !== undefined) return { kind: 'chosen', value: item.value }
    if (!isTyping()) return NONE
    if (words.before.endsWith('\\')) {
      words.replaceBefore(1, '\n')
      return CHANGED
    }
    const { text } = words
    return text.trim() === '' ? NONE : { kind: 'words', words: text }
  }

  const handleKey = (name: string): PickerOutcome => {
    switch (name) {
      case 'escape':
        // What was written is not thrown away by one key.
        return isTyping() && !words.isEmpty ? select(Math.min(last, Math.max(0, shown.length - 1))) : { kind: 'cancel' }
      case 'ctrl+c':
        return { kind: 'cancel' }
      case 'enter':
        return enter()
      case 'up':
      case 'ctrl+p':
        return isTyping() && words.perform('up') ? CHANGED : move(-1)
      case 'down':
      case 'ctrl+n':
        return isTyping() && words.perform('down') ? CHANGED : move(1)
      case 'tab':
        return move(1)
      case 'shift+tab':
        return move(-1)
      case 'page-up':
        return page(-PAGE)
      case 'page-down':
        return page(PAGE)
      default:
        return edit(name)
    }
  }

  const edit = (name: string): PickerOutcome => {
    const command = editCommandFor(name)
    if (command === undefined) return NONE
    if (isTyping()) return words.perform(command) ? CHANGED : NONE
    if (isSearchable) {
      const { changes } = query
      if (command === 'newline' || !query.perform(command)) return NONE
      return query.changes === changes ? CHANGED : filter()
    }
    if (command === 'line-start') return page(-count())
    return command === 'line-end' ? page(count()) : NONE
  }

  const view = createPickerView(options, { words, query })
  return {
    handle(key) {
      if (key.kind === 'focus') return NONE
      return key.kind === 'key' ? handleKey(nameOfKey(key)) : take(key)
    },
    render: (width, maxRows) =>
      view.render({ shown, selected, width: Math.max(1, width), maxRows: Math.max(1, maxRows) }),
  }
}

/** For comparing: without capitals, and composed, as some systems give names of files decomposed. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
