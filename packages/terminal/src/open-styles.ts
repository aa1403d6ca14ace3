/** Which styles are on after some SGR and OSC 8 sequences, so that a line can be closed and the next one reopened. */
export interface OpenStyles {
  /** Takes one whole escape sequence; other kinds are ignored. */
  apply(sequence: string): void
  /** Turns on again what is on. */
  readonly opening: string
  /** Turns off what is on, and nothing else: the text may stand inside a style of somebody else. */
  readonly closing: string
}

/** Follows styles through a text; nothing is on at first. */
export function trackStyles(): OpenStyles {
  const on = new Map<Style, string>()
  let link = ''
  return {
    apply(sequence) {
      const body = sequence.slice(1)
      if (body.startsWith(']8;')) link = LINK_END.test(body) ? '' : sequence
      else if (SGR.test(body)) applySgr(on, body.slice(1, -1))
    },
    get opening() {
      return on.size === 0 ? link : `\x1b[${[...on.values()].join(';')}m${link}`
    },
    get closing() {
      const close = link === '' ? '' : '\x1b]8;;\x1b\\'
      if (on.size === 0) return close
      return `${close}\x1b[${[...new Set([...on.keys()].map((style) => CLOSE[style]))].join(';')}m`
    },
  }
}

// Both behind the ESC, with which every sequence begins.
const SGR = /^\[[\d;:]*m$/
const LINK_END = /^\]8;[^;]*;[^!-~]/

const CLOSE = {
  bold: 22,
  dim: 22,
  italic: 23,
  underline: 24,
  blink: 25,
  inverse: 27,
  hidden: 28,
  struck: 29,
  ink: 39,
  paper: 49,
  overline: 55,
  line: 59,
} as const

type Style = keyof typeof CLOSE

const STYLES = Object.keys(CLOSE) as Style[]
const CLOSED_BY = new Map(
  STYLES.map((style) => [CLOSE[style] as number, STYLES.filter((one) => CLOSE[one] === CLOSE[style])]),
)

const SINGLE: Record<number, Style> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  5: 'blink',
  6: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'struck',
  21: 'underline',
  53: 'overline',
}

// 38, 48 and 58 are followed by the colour: 5 and a number, or 2 and three numbers.
const COLOURS: Record<number, Style> = { 38: 'ink', 48: 'paper', 58: 'line' }

function applySgr(on: Map<Style, string>, parameters: string): void {
  const parts = parameters.split(';')
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? ''
    const code = Number.parseInt(part || '0', 10)
    const colour = COLOURS[code]
    if (colour === undefined) applyOne(on, { code, part })
    else if (part.includes(':')) on.set(colour, part)
    else {
      const length = parts[i + 1] === '2' ? 5 : 3
      on.set(colour, parts.slice(i, i + length).join(';'))
      i += length - 1
    }
  }
}

function applyOne(on: Map<Style, string>, { code, part }: { code: number; part: string }): void {
  const style = SINGLE[code] ?? colourOf(code)
  if (code === 0) on.clear()
  else if (part === '4:0') on.delete('underline')
  else if (style !== undefined) on.set(style, part)
  else for (const closed of CLOSED_BY.get(code) ?? []) on.delete(closed)
}

function colourOf(code: number): Style | undefined {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return 'ink'
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return 'paper'
  return undefined
}
