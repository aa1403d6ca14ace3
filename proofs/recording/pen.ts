/** How a cell looks. Colours are 0…15; none means the terminal's own. */
export interface Pen {
  readonly ink: number | undefined
  readonly ground: number | undefined
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isInverse: boolean
}

/** What a terminal writes with before anyone has told it otherwise. */
export const NO_PEN: Pen = {
  ink: undefined,
  ground: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
}

const CHANGES: { readonly [code: number]: Partial<Pen> } = {
  0: NO_PEN,
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  39: { ink: undefined },
  49: { ground: undefined },
}

/** The pen after a sequence of SGR codes; only the sixteen colours of a theme are known. */
export function setPen(pen: Pen, codes: readonly number[]): Pen {
  let next = pen
  for (const code of codes) next = { ...next, ...changeBy(code) }
  return next
}

function changeBy(code: number): Partial<Pen> {
  const change = CHANGES[code]
  if (change !== undefined) return change
  const tens = Math.floor(code / 10)
  const digit = code % 10
  if (digit < 8 && (tens === 3 || tens === 9)) return { ink: tens === 9 ? digit + 8 : digit }
  if (digit < 8 && (tens === 4 || tens === 10)) return { ground: tens === 10 ? digit + 8 : digit }
  throw new Error(`unknown colour or style ${code}`)
}
