import type { Environment } from '../environment.ts'

type Paint = (text: string) => string

/** Ways to make text stand out. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

export function createStyle(isColoured: boolean): Style {
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      isColoured ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}

/** Who says no wins: the option, NO_COLOR; then FORCE_COLOR; then what the terminal is. */
export function wantsColour(env: Environment, { isRefused, isTerminal }: { isRefused: boolean; isTerminal: boolean }) {
  if (isRefused || env['NO_COLOR']) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}
