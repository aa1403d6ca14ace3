export type { Frame } from './frame.ts'
export type { Key, NamedKey } from './key.ts'
export { createTextStyle, type TextStyle } from './text-style.ts'
