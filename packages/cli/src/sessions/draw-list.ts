import { basename } from 'node:path'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { displayWidth, padTo } from '../terminal/width.ts'
import type { SessionRow } from './list-sessions.ts'

type Drawing = Pick<Invocation, 't' | 'style' | 'lang' | 'stdout'>

/** Sessions as lines of a terminal, one each. */
export function drawList(rows: readonly SessionRow[], drawing: Drawing, { hasPlace = false } = {}): string[] {
  const cells = rows.map((row) => cellsOf(row, drawing, hasPlace))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))))
  return rows.map((row, at) => {
    const left = (cells[at] ?? [])
      .map((cell, column) => align(cell, widths[column] ?? 0, COUNTS.has(column)))
      .join('  ')
    const marks = marksOf(row, drawing)
    const room = Math.max(20, drawing.stdout.columns - displayWidth(left) - displayWidth(marks) - 4)
    const name = cutTo(printable(row.name), room) || drawing.style.dim(drawing.t('sessions.nameless'))
    return `${left}  ${name}${marks === '' ? '' : `  ${drawing.style.dim(marks)}`}`
  })
}

const COUNTS = new Set([2, 3, 4])

function align(cell: string, width: number, isCount: boolean): string {
  return isCount ? ' '.repeat(Math.max(0, width - displayWidth(cell))) + cell : padTo(cell, width)
}

function cellsOf(row: SessionRow, { t, lang }: Drawing, hasPlace: boolean): string[] {
  const { usage, cost, turns, cwd = '' } = row
  return [
    shortId(row.id),
    localTime(row.changedAt),
    t('sessions.turns', { count: turns.toLocaleString(lang) }),
    t('sessions.tokens', { count: shortCount(usage.input + usage.output) }),
    cost === undefined ? '' : dollars(cost),
    ...(hasPlace ? [cutTo(printable(basename(cwd)), 20)] : []),
  ]
}

function marksOf({ forkOf, isRunning, isOpen, isDamaged, isMoved }: SessionRow, { t }: Drawing): string {
  const marks = [
    forkOf ? t('sessions.fork-of', { id: printable(shortId(forkOf.id)), seq: forkOf.seq }) : '',
    isRunning ? t('sessions.running') : isOpen ? t('sessions.open') : '',
    isDamaged ? t('sessions.damaged') : '',
    isMoved ? t('sessions.moved') : '',
  ]
  return marks.filter((mark) => mark !== '').join(' · ')
}

// Two groups of an id are its time to the millisecond: as much as anyone needs to type.
const OWN_ID = /^([0-9a-f]{8}-[0-9a-f]{4})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** As much of an id as is needed to find it. */
export function shortId(id: string): string {
  return OWN_ID.exec(id)?.[1] ?? id
}

/** A time as people here write it: `2026-11-16 09:30`. A log may say anything, also a time that no calendar has. */
export function localTime(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Dollars, to the cent where there are any. */
export function dollars(cost: number): string {
  return cost > 0 && cost < 0.01 ? '<$0.01' : `$${cost.toFixed(2)}`
}

function shortCount(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000
    ? `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`
    : `${(count / 1_000_000).toFixed(1)}M`
}

/** The text, or as much of it as fits into so many columns, with an ellipsis. */
export function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 1
  for (const sign of text) {
    width += displayWidth(sign)
    if (width > columns) break
    kept += sign
  }
  return `${kept}…`
}
