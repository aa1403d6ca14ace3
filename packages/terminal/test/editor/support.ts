import { createEditor, type Editor, type EditorOptions } from '../../src/editor.ts'
import type { Frame } from '../../src/frame.ts'
import type { Key, NamedKey } from '../../src/key.ts'
import { createTextStyle } from '../../src/text-style.ts'
import { graphemesOf, widthOf } from '../../src/width.ts'

export const plain = createTextStyle(false)

/** A key by its name with its modifiers: `ctrl+alt+left`. */
export function keyOf(name: string): NamedKey {
  const parts = name === 'ctrl++' ? ['ctrl', '+'] : name.split('+')
  const [last = ''] = parts.slice(-1)
  return {
    kind: 'key',
    name: last,
    ctrl: parts.slice(0, -1).includes('ctrl'),
    alt: parts.slice(0, -1).includes('alt'),
    shift: parts.slice(0, -1).includes('shift'),
  }
}

export const typed = (text: string): Key => ({ kind: 'text', text })
export const pasted = (text: string): Key => ({ kind: 'paste', text })

export function openEditor(options: Partial<EditorOptions> = {}): Editor {
  return createEditor({
    style: plain,
    describePaste: (lines, number) => `[pasted ${lines} lines #${number}]`,
    ...options,
  })
}

/** An editor with a text; `|` says where the cursor is. */
export function editorWith(marked: string, options?: Partial<EditorOptions>): Editor {
  const editor = openEditor(options)
  const [before = '', after = ''] = marked.split('|')
  editor.setText(after)
  editor.handle(keyOf('ctrl+home'))
  for (const [index, line] of before.split('\n').entries()) {
    if (index > 0) editor.handle(keyOf('ctrl+j'))
    if (line !== '') editor.handle(typed(line))
  }
  return editor
}

export function press(editor: { handle(key: Key): unknown }, ...names: string[]): void {
  for (const name of names) editor.handle(keyOf(name))
}

/** The text with the cursor as `|`: found by typing a sign there, and taking it back. */
export function marked(editor: Editor): string {
  editor.handle(typed('\u2588'))
  const text = editor.text.replace('\u2588', '|')
  press(editor, 'backspace')
  return text
}

/** What is seen, with the cursor as `▏` in front of the cell it is on. */
export function seen(frame: Frame): string[] {
  const { cursor } = frame
  if (cursor === undefined) return [...frame.lines]
  return frame.lines.map((line, row) => (row === cursor.row ? withCursor(line, cursor.column) : line))
}

function withCursor(line: string, column: number): string {
  let left = ''
  let width = 0
  const signs = graphemesOf(line)
  while (width < column && signs.length > 0) {
    const sign = signs.shift() ?? ''
    left += sign
    width += widthOf(sign)
  }
  return `${left}${' '.repeat(Math.max(0, column - width))}▏${signs.join('')}`
}
