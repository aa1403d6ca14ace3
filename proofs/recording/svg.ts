import type { Frame } from './cast.ts'
import type { Cell } from './emulator.ts'
import type { Pen } from './pen.ts'
import { type Run, runsOf } from './runs.ts'
import { STYLE } from './svg-style.ts'

/** What is to be drawn: the pictures in their order, and what a person is told who cannot see them. */
export interface Film {
  readonly columns: number
  readonly rows: number
  readonly frames: readonly Frame[]
  readonly title: string
  readonly description: string
}

// Whole numbers, since there are thousands of them; the size of the font in STYLE goes with the cell.
const CELL = 8
const LINE = 18
const BASE = 13
const SIDE = 16
const HEAD = 38
const FOOT = 12

/**
 * An animated picture for a page: it plays once and stays at its end. What cannot or shall not move (a preview, a person
 * who has asked for less motion) shows the end alone, because that is how it looks without its animations.
 */
export function drawFilm({ columns, rows, frames, title, description }: Film): string {
  const width = columns * CELL + 2 * SIDE
  const height = HEAD + rows * LINE + FOOT
  const { definitions, scenes } = drawScenes(frames)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title><desc id="d">${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="window" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    `<circle class="f1" cx="22" cy="19" r="6"/><circle class="f3" cx="42" cy="19" r="6"/><circle class="f2" cx="62" cy="19" r="6"/>`,
    `<text class="d" x="${width / 2}" y="23" text-anchor="middle">${escaped(title)}</text>`,
    `<defs>${definitions}</defs>`,
    `<g transform="translate(${SIDE} ${HEAD})">`,
    scenes,
    '</g>',
    '</svg>\n',
  ].join('\n')
}

/** What stands somewhere on the screen for a while. */
interface Stay {
  readonly what: string
  readonly from: number
  /** None: to the end and after it. */
  readonly to: number | undefined
}

function drawScenes(frames: readonly Frame[]): { definitions: string; scenes: string } {
  const names = new Map<string, string>()
  const nameOf = (cells: readonly Cell[]): string => {
    const drawn = runsOf(cells).map(drawRun).join('')
    const name = names.get(drawn) ?? `r${names.size}`
    if (drawn !== '') names.set(drawn, name)
    return drawn === '' ? '' : name
  }
  const places = new Map<string, (string | undefined)[]>()
  const rows = frames[0]?.picture.rows.length ?? 0
  for (let row = 0; row < rows; row++) {
    const drawn = frames.map(({ picture }) => {
      const name = nameOf(picture.rows[row] ?? [])
      return name === '' ? undefined : `<use href="#${name}"${row === 0 ? '' : ` y="${row * LINE}"`}/>`
    })
    places.set(`row ${row}`, drawn)
  }
  places.set(
    'cursor',
    frames.map(({ picture: { cursor } }) => cursor && drawCursor(cursor)),
  )
  const stays = [...places.values()].flatMap((drawn) => staysOf(drawn, frames))
  const definitions = [...names].map(([drawn, name]) => `<g id="${name}">${drawn}</g>`).join('\n')
  return { definitions, scenes: drawStays(stays) }
}

/** What one place shows, one after the other. */
function staysOf(drawn: readonly (string | undefined)[], frames: readonly Frame[]): Stay[] {
  const stays: Stay[] = []
  let from = 0
  for (const [at, what] of drawn.entries()) {
    if (at + 1 < drawn.length && drawn[at + 1] === what) continue
    const next = frames[at + 1]?.ms
    if (what !== undefined) stays.push({ what, from: frames[from]?.ms ?? 0, to: next })
    from = at + 1
  }
  return stays
}

/** Everything that comes and goes at the same times is one group. */
function drawStays(stays: readonly Stay[]): string {
  const groups = new Map<string, string[]>()
  for (const { what, from, to } of [...stays].sort((a, b) => a.from - b.from)) {
    const times =
      to === undefined
        ? from === 0
          ? '<g>'
          : `<g style="animation:h ${from / 1000}s">`
        : `<g class="s" style="animation:s ${(to - from) / 1000}s ${from / 1000}s">`
    groups.set(times, [...(groups.get(times) ?? []), what])
  }
  return [...groups].map(([times, drawn]) => `${times}${drawn.join('')}</g>`).join('\n')
}

function drawCursor({ row, column }: { row: number; column: number }): string {
  return `<rect class="k" x="${column * CELL}" y="${row * LINE}" width="${CELL}" height="${LINE}"/>`
}

function drawRun({ text, pen, columns, width }: Run): string {
  const left = (columns[0] ?? 0) * CELL
  const behind = groundOf(pen)
  const ground = behind && `<rect class="${behind}" x="${left}" width="${width * CELL}" height="${LINE}"/>`
  const isWide = width > columns.length
  const classes = [classesOf(pen), isWide && 'w'].filter(Boolean).join(' ')
  // Fonts differ in width, and most have no Hangul that is exactly two cells: every text is told where its signs stand.
  const place =
    text.length === 1
      ? `x="${left}"`
      : isWide
        ? `x="${columns.map((column) => column * CELL).join(' ')}"`
        : `x="${left}" textLength="${width * CELL}"`
  const named = classes === '' ? '' : ` class="${classes}"`
  return `${ground}<text${named} ${place} y="${BASE}">${escaped(text)}</text>`
}

function classesOf({ ink, ground, isBold, isDim, isItalic, isUnderlined, isInverse }: Pen): string {
  const colour = isInverse ? (ground === undefined ? 'n' : `f${ground}`) : ink === undefined ? '' : `f${ink}`
  return [colour, isBold && 'b', isDim && 'd', isItalic && 'i', isUnderlined && 'u'].filter(Boolean).join(' ')
}

function groundOf({ ink, ground, isInverse }: Pen): string {
  if (isInverse) return ink === undefined ? 'a' : `f${ink}`
  return ground === undefined ? '' : `f${ground}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
