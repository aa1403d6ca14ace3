import type { TextStyle } from './text-style.ts'

/** Whether this style changes anything; where it does not, signs have to say what colours would. */
export function isColoured(style: TextStyle): boolean {
  return style.bold('x') !== 'x'
}
