import { indexAt, type LineLayouts, offsetNear, placeOf } from './line-layout.ts'
import type { Step } from './steps.ts'
import { comparePositions, type Position, START, type TextBuffer } from './text-buffer.ts'

/** What a motion looks at. */
export interface Sight {
  readonly buffer: TextBuffer
  readonly layouts: LineLayouts
}

type Motion = (sight: Sight, from: Position) => Position

export const toLineStart: Motion = (_, from) => ({ line: from.line, offset: 0 })
export const toLineEnd: Motion = ({ buffer }, from) => ({
  line: from.line,
  offset: buffer.lineAt(from.line).text.length,
})
export const toTextStart: Motion = () => START
export const toTextEnd: Motion = ({ buffer }) => buffer.end

export const toLeft: Motion = (sight, from) => {
  if (from.offset === 0) return from.line === 0 ? from : toLineEnd(sight, { line: from.line - 1, offset: 0 })
  return { line: from.line, offset: stepBefore(sight, from)?.at ?? 0 }
}

export const toRight: Motion = (sight, from) => {
  const step = stepAfter(sight, from)
  if (step !== undefined) return { line: from.line, offset: step.end }
  return from.line + 1 < sight.buffer.lines.length ? { line: from.line + 1, offset: 0 } : from
}

/** To the beginning of the word that is here or before. */
export const toWordStart: Motion = (sight, from) => {
  const at = goWhile(sight, from, { go: toLeft, while: (place) => classBefore(sight, place) === 'between' })
  const kind = classBefore(sight, at)
  if (kind === 'chip') return toLeft(sight, at)
  return goWhile(sight, at, { go: toLeft, while: (place) => classBefore(sight, place) === 'word' })
}

/** To the end of the word that is here or behind. */
export const toWordEnd: Motion = (sight, from) => {
  const at = goWhile(sight, from, { go: toRight, while: (place) => classAfter(sight, place) === 'between' })
  const kind = classAfter(sight, at)
  if (kind === 'chip') return toRight(sight, at)
  return goWhile(sight, at, { go: toRight, while: (place) => classAfter(sight, place) === 'word' })
}

/** To behind the blank that is before what stands here, as a shell's Ctrl-W; from a line's start, only over its end. */
export const toBlankBefore: Motion = (sight, from) => {
  if (from.offset === 0) return toLeft(sight, from)
  const isBlank = (place: Position) => place.offset > 0 && isSpace(sight, place)
  const at = goWhile(sight, from, { go: toLeft, while: isBlank })
  return goWhile(sight, at, { go: toLeft, while: (place) => place.offset > 0 && !isSpace(sight, place) })
}

/** The column in which a position is seen. */
export function columnOf({ buffer, layouts }: Sight, at: Position, width: number): number {
  return placeOf(layouts.of(buffer.lineAt(at.line), width), at.offset).column
}

/** So many rows up (negative) or down, as near to the wished column as possible; nothing when there is no such row. */
export function byRows(
  { buffer, layouts }: Sight,
  from: Position,
  { count, column, width }: { count: number; column: number; width: number },
): Position | undefined {
  let { line } = from
  let layout = layouts.of(buffer.lineAt(line), width)
  let row = placeOf(layout, from.offset).row + count
  while (row < 0) {
    if (line === 0) return undefined
    line -= 1
    layout = layouts.of(buffer.lineAt(line), width)
    row += layout.rows.length
  }
  while (row >= layout.rows.length) {
    if (line + 1 >= buffer.lines.length) return undefined
    row -= layout.rows.length
    line += 1
    layout = layouts.of(buffer.lineAt(line), width)
  }
  return { line, offset: offsetNear(layout, { row, column }) }
}

/** A position that is not inside of a grapheme: where it is, or behind the one it was in. */
export function settle({ buffer, layouts }: Sight, at: Position): Position {
  const steps = layouts.stepsOf(buffer.lineAt(at.line))
  const step = steps[indexAt(steps, at.offset)]
  return step === undefined || step.at === at.offset ? at : { line: at.line, offset: step.end }
}

function goWhile(sight: Sight, from: Position, { go, while: holds }: Going): Position {
  let at = from
  while (holds(at)) {
    const next = go(sight, at)
    if (comparePositions(next, at) === 0) return at
    at = next
  }
  return at
}

interface Going {
  readonly go: Motion
  while(place: Position): boolean
}

type SignClass = 'word' | 'chip' | 'between' | 'nothing'

const WORD = /[\p{L}\p{N}\p{M}_]/u

function classBefore(sight: Sight, at: Position): SignClass {
  if (at.offset === 0) return at.line === 0 ? 'nothing' : 'between'
  return classOf(stepBefore(sight, at))
}

function classAfter(sight: Sight, at: Position): SignClass {
  const step = stepAfter(sight, at)
  if (step !== undefined) return classOf(step)
  return at.line + 1 < sight.buffer.lines.length ? 'between' : 'nothing'
}

function classOf(step: Step | undefined): SignClass {
  if (step === undefined) return 'nothing'
  if (step.kind === 'chip') return 'chip'
  return step.kind === 'letter' && WORD.test(step.shown) ? 'word' : 'between'
}

function isSpace(sight: Sight, at: Position): boolean {
  const step = stepBefore(sight, at)
  return step !== undefined && step.kind !== 'chip' && /^\s/.test(step.kind === 'tab' ? ' ' : step.shown)
}

function stepBefore({ buffer, layouts }: Sight, at: Position): Step | undefined {
  const steps = layouts.stepsOf(buffer.lineAt(at.line))
  return steps[indexAt(steps, at.offset) - 1]
}

function stepAfter({ buffer, layouts }: Sight, at: Position): Step | undefined {
  const steps = layouts.stepsOf(buffer.lineAt(at.line))
  return steps[indexAt(steps, at.offset)]
}
