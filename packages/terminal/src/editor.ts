import { type Begun, type Completion, createCompletionList, findBegun } from './editor/completion-list.ts'
import { editCommandFor, nameOfKey } from './editor/edit-keys.ts'
import { createEditing } from './editor/editing.ts'
import { createInputHistory } from './editor/input-history.ts'
import { createPasteChips } from './editor/paste-chips.ts'
import { createSearchMode } from './editor/search-mode.ts'
import { visible } from './editor/unsafe-signs.ts'
import type { Frame } from './frame.ts'
import type { Key } from './key.ts'
import type { TextStyle } from './text-style.ts'
import { cutText } from './width.ts'

export interface EditorOptions {
  style: TextStyle
  /** Oldest first. */
  history?: readonly string[]
  /**
   * Asked for what stands before the cursor, without its sign: `/` at the very beginning, `@` at the beginning of a
   * word. When the person types on, the signal is aborted and the answer no longer wanted; a rejection is an empty list.
   */
  complete?(trigger: '/' | '@', prefix: string, signal: AbortSignal): Promise<readonly Completion[]>
  /** Says that something arrived later (completions): draw again. */
  onChange?(): void
  /** How a long paste is shown in place: "[pasted 500 lines #1]". */
  describePaste(lines: number, number: number): string
  placeholder?: string
}

/** What a key came to. `none` also stands for keys that are not for an editor: the caller may use them. */
export type EditorOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed' }
  /** The editor is empty again. Never blank. */
  | { readonly kind: 'submit'; readonly text: string; readonly how: 'enter' | 'alt-enter' }
  /** Escape, and nothing was open that it could close. */
  | { readonly kind: 'cancel' }
  /** Ctrl-C in an empty editor; in any other it clears. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D in an empty editor. */
  | { readonly kind: 'end' }
  /** An external editor is wanted. */
  | { readonly kind: 'editor' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'expand' }
  | { readonly kind: 'redraw' }

/** A text that is being written. Keys go in, outcomes come out, and a frame shows it; nothing else happens. */
export interface Editor {
  handle(key: Key): EditorOutcome
  /** At most `maxRows` lines: the text, scrolled to the cursor, and below it completions or the search. */
  render(width: number, maxRows: number): Frame
  /** With everything in place that was pasted. */
  readonly text: string
  /** The cursor goes to its end. Can be undone. */
  setText(text: string): void
  /** Into the history. */
  remember(text: string): void
  /** Into the history, oldest first, before all that is there. */
  rememberEarlier(texts: readonly string[]): void
}

const NONE = { kind: 'none' } as const
const CHANGED = { kind: 'changed' } as const

const ASKED_FOR: { readonly [key: string]: EditorOutcome } = {
  'ctrl+g': { kind: 'editor' },
  'ctrl+z': { kind: 'suspend' },
  'ctrl+o': { kind: 'expand' },
  'ctrl+l': { kind: 'redraw' },
}

export function createEditor(options: EditorOptions): Editor {
  const { style, placeholder, onChange = () => {} } = options
  const sign = `${style.cyan('›')} `
  const chips = createPasteChips(options.describePaste)
  const editing = createEditing({ style, chips })
  const history = createInputHistory((options.history ?? []).map(chips.foldLines))
  const list = createCompletionList({ style, complete: options.complete, onChange })
  const search = createSearchMode({ style, chips, entries: history.entries })
  let sent: { text: string; source: string } | undefined
  // What the key before leaves for the next: Ctrl-X was pressed, or a text of the history was put here.
  let isChord = false
  let isRecalled = false

  const begun = (): Begun | undefined => findBegun(editing.before, editing.cursor.line)
  const changed = () => {
    list.follow(begun(), true)
    return CHANGED
  }

  const handleKey = (name: string, before: { isChord: boolean; isRecalled: boolean }): EditorOutcome => {
    if (before.isChord && name === 'ctrl+e') return { kind: 'editor' }
    if (list.isOpen) {
      const outcome = handleInList(name)
      if (outcome !== undefined) return outcome
    }
    const asked = ASKED_FOR[name]
    if (asked !== undefined) return asked
    switch (name) {
      case 'enter':
        return enter()
      case 'alt+enter':
        return submit('alt-enter')
      case 'escape':
        return { kind: 'cancel' }
      case 'tab':
        return openList()
      case 'ctrl+c':
        return editing.isEmpty ? { kind: 'interrupt' } : clear()
      case 'ctrl+x':
        isChord = true
        return NONE
      case 'ctrl+r':
        list.close()
        search.open()
        return CHANGED
      case 'up':
      case 'ctrl+p':
        return goOrRecall('up', before.isRecalled)
      case 'down':
      case 'ctrl+n':
        return goOrRecall('down', before.isRecalled)
      default:
        return name === 'ctrl+d' && editing.isEmpty ? { kind: 'end' } : edit(name)
    }
  }

  const edit = (name: string): EditorOutcome => {
    const command = editCommandFor(name)
    if (command === undefined) return NONE
    const textBefore = editing.changes
    if (!editing.perform(command)) return NONE
    // Undoing is no typing: a list that opened then would be in the way.
    list.follow(begun(), editing.changes !== textBefore && command !== 'undo')
    return CHANGED
  }

  const enter = (): EditorOutcome => {
    if (!editing.before.endsWith('\\')) return submit('enter')
    editing.replaceBefore(1, '\n')
    return changed()
  }

  const submit = (how: 'enter' | 'alt-enter'): EditorOutcome => {
    const { text, source } = editing
    if (text.trim() === '') return NONE
    sent = { text, source }
    list.close()
    history.leave()
    editing.startAnew()
    chips.keepOnly([...history.entries.map((entry) => entry.source), source, editing.killed])
    return { kind: 'submit', text, how }
  }

  const clear = () => {
    editing.setText('')
    history.leave()
    list.close()
    return CHANGED
  }

  const goOrRecall = (way: 'up' | 'down', wasRecalled: boolean): EditorOutcome => {
    // A long text that was only looked at must not have to be walked through to get to the one before.
    if (wasRecalled && recall(way)) return CHANGED
    const outcome = edit(way)
    return outcome.kind === 'none' && recall(way) ? CHANGED : outcome
  }

  const recall = (way: 'up' | 'down'): boolean => {
    const source = history.go(way === 'up' ? -1 : 1, editing.source)
    if (source === undefined) return false
    editing.setSource(source)
    list.close()
    isRecalled = true
    return true
  }

  const openList = (): EditorOutcome => {
    const word = begun()
    if (word === undefined || options.complete === undefined) return NONE
    list.open(word)
    return CHANGED
  }

  /** Nothing when the key is not for the list. */
  const handleInList = (name: string): EditorOutcome | undefined => {
    switch (name) {
      case 'up':
      case 'ctrl+p':
        list.move(-1)
        return CHANGED
      case 'down':
      case 'ctrl+n':
        list.move(1)
        return CHANGED
      case 'escape':
        list.dismiss()
        return CHANGED
      case 'tab':
        take()
        return CHANGED
      case 'enter': {
        // Typed out already: there is nothing to take, so Enter means what it always means.
        const isTyped = list.selected?.insert.trimEnd() === list.typed
        if (isTyped) return submit('enter')
        const { isCommand, isOpen } = take()
        return isCommand && !isOpen ? submit('enter') : CHANGED
      }
      default:
        return undefined
    }
  }

  /** Puts the selected completion in. One that ends with a blank or a slash waits for what comes next. */
  const take = (): { isCommand: boolean; isOpen: boolean } => {
    const { typed } = list
    const insert = list.selected?.insert ?? typed
    list.dismiss()
    editing.replaceBefore(typed.length, insert)
    const inside = insert.endsWith('/') ? begun() : undefined
    if (inside !== undefined) list.open(inside)
    return { isCommand: typed.startsWith('/'), isOpen: /[\s/]$/.test(insert) }
  }

  return {
    get text() {
      return editing.text
    },
    setText(text) {
      search.close()
      list.close()
      editing.setText(text)
    },
    remember(text) {
      history.add(text === sent?.text ? sent.source : chips.foldLines(text))
    },
    rememberEarlier: (texts) => history.addEarlier(texts.map(chips.foldLines)),
    handle(key) {
      if (key.kind === 'focus') return NONE
      if (search.isOpen) {
        const { end, found } = search.handle(key)
        if (found !== undefined) {
          editing.setSource(history.jumpTo(found.entry, editing.source))
          editing.moveTo(found.at)
        }
        if (end !== 'passed-on') return CHANGED
      }
      const before = { isChord, isRecalled }
      isChord = false
      isRecalled = false
      if (key.kind === 'key') return handleKey(nameOfKey(key), before)
      if (key.text === '') return NONE
      if (key.kind === 'paste') editing.paste(key.text)
      else editing.type(key.text)
      return changed()
    },
    render(width, maxRows) {
      const room = { width: Math.max(1, width), maxRows: Math.max(1, maxRows) }
      if (search.isOpen) return search.render({ ...room, sign, source: editing.source })
      const text = editing.render({ ...room, maxRows: Math.max(1, room.maxRows - list.height), sign })
      const lines = [...text.lines]
      if (placeholder !== undefined && editing.isEmpty) {
        lines[0] = cutText(`${text.lines[0] ?? ''}${style.dim(visible(placeholder))}`, room.width)
      }
      lines.push(...list.render(room.width, room.maxRows - lines.length))
      return { lines, cursor: text.cursor }
    },
  }
}
