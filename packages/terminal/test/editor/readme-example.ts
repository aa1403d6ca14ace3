// The example of the README, so that the type check reads it.
import { createEditor, createTextStyle } from '../../src/index.ts'

const editor = createEditor({
  style: createTextStyle(false),
  describePaste: (lines, number) => `[pasted ${lines} lines #${number}]`,
})
editor.handle({ kind: 'text', text: '한글' })
console.log(editor.render(80, 10)) // { lines: ['› 한글'], cursor: { row: 0, column: 6 } }
console.log(editor.handle({ kind: 'key', name: 'enter', ctrl: false, alt: false, shift: false }))
// { kind: 'submit', text: '한글', how: 'enter' }
