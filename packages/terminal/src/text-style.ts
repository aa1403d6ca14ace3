type Paint = (text: string) => string

/** Ways to make text stand out; each gives the text back unchanged where colours are not wanted. */
export interface TextStyle {
  readonly bold: Paint
  readonly dim: Paint
  readonly italic: Paint
  readonly underline: Paint
  readonly inverse: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly blue: Paint
  readonly magenta: Paint
  readonly cyan: Paint
}

/** Paints with the sixteen colours that every terminal's own theme defines. */
export function createTextStyle(isColoured: boolean): TextStyle {
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      isColoured && text !== '' ? `\x1b[${open}m${text}\x1b[${close}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    italic: paint(3, 23),
    underline: paint(4, 24),
    inverse: paint(7, 27),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  }
}
