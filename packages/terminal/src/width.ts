// What a terminal makes of text: how wide it is, and how it is brought to a width.
export { graphemesOf, widthOf } from './cell-width.ts'
export { cutText } from './cut-text.ts'
export { wrapText } from './wrap-text.ts'
