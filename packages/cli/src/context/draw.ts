import { CONTEXT_KINDS, type ContextKind } from '@maru/agent'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { tellMoney } from '../terminal/short-numbers.ts'
import type { Style } from '../terminal/style.ts'
import { displayWidth, padTo, wrap } from '../terminal/width.ts'
import type { Dropped, RunCost, SessionContext } from './read-context.ts'

type Drawing = Pick<Invocation, 't' | 'style' | 'lang' | 'stdout'>

// Apart without colours too.
const LOOKS: { [kind in ContextKind]: { glyph: string; paint: keyof Style } } = {
  system: { glyph: '▓', paint: 'dim' },
  tools: { glyph: '▒', paint: 'cyan' },
  condensed: { glyph: '▚', paint: 'red' },
  files: { glyph: '█', paint: 'green' },
  outputs: { glyph: '▞', paint: 'yellow' },
  talk: { glyph: '▀', paint: 'bold' },
}

const RUNS_SHOWN = 12

/** What fills the window, as lines: a bar, its parts, what each run cost. */
export function drawContext(found: SessionContext, { t, style, lang, stdout }: Drawing): string[] {
  const { portrait, limit, model, runs, dropped, pinned } = found
  const { tokens, shares } = portrait
  const count = (value: number) => value.toLocaleString(lang)
  const width = Math.max(20, Math.min(60, stdout.columns - 4))
  const kinds = CONTEXT_KINDS.filter((kind) => shares[kind] > 0)
  const names = Math.max(...CONTEXT_KINDS.map((kind) => displayWidth(t(`context.${kind}`))))
  const percent = Math.round((100 * tokens) / limit)
  const level = percent >= 92 ? style.red : percent >= 80 ? style.yellow : style.green
  const lines = [
    `${style.bold(t('context.title'))} ${style.dim(printable(model))}`,
    '',
    `  ${bar(shares, { limit: Math.max(limit, tokens), width, style })}`,
    `  ${level(t('context.filled', { tokens: count(tokens), limit: count(limit), percent }))}`,
    '',
    ...kinds.map((kind) => {
      const { glyph, paint } = LOOKS[kind]
      const share = `${Math.round((100 * shares[kind]) / Math.max(1, tokens))} %`
      return `  ${style[paint](glyph)} ${padTo(t(`context.${kind}`), names)}  ${count(shares[kind]).padStart(9)}  ${style.dim(share.padStart(5))}`
    }),
  ]
  if (runs.length > 0) lines.push('', ...drawRuns(found, { t, style, count, columns: stdout.columns }))
  const pruned = dropped.filter(({ kind }) => kind === 'pruned').length
  const condensed = dropped.length - pruned
  if (dropped.length > 0) lines.push('', style.dim(t('context.dropped', { pruned, condensed })))
  if (pinned.length > 0) lines.push(style.dim(t('context.pins', { pins: printable(pinned.join(', ')) })))
  return lines
}

function bar(
  shares: SessionContext['portrait']['shares'],
  { limit, width, style }: { limit: number; width: number; style: Style },
): string {
  let text = ''
  let drawn = 0
  let sum = 0
  for (const kind of CONTEXT_KINDS) {
    sum += shares[kind]
    // What is there shows, however little it is.
    const end = Math.min(width, Math.max(Math.round((width * sum) / limit), shares[kind] > 0 ? drawn + 1 : drawn))
    const { glyph, paint } = LOOKS[kind]
    text += style[paint](glyph.repeat(Math.max(0, end - drawn)))
    drawn = Math.max(drawn, end)
  }
  return text + style.dim('·'.repeat(width - drawn))
}

function drawRuns(
  { runs, total }: SessionContext,
  { t, style, count, columns }: { t: Drawing['t']; style: Style; count(value: number): string; columns: number },
): string[] {
  const shown = runs.slice(-RUNS_SHOWN)
  const heads = ['turns', 'input', 'cached', 'output', 'cost'].map((name) => t(`context.${name}` as 'context.turns'))
  const rows = shown.map((run) => cellsOf(run, count))
  const sum = cellsOf({ ...total, turns: runs.reduce((all, { turns }) => all + turns, 0) }, count)
  const widths = heads.map((head, at) =>
    Math.max(displayWidth(head), ...[...rows, sum].map((row) => row[at]?.length ?? 0)),
  )
  const room = Math.max(12, Math.min(36, columns - 4 - widths.reduce((all, one) => all + one + 2, 0)))
  const line = (name: string, cells: string[]) =>
    `  ${padTo(shorten(name, room), room)}${cells.map((cell, at) => `  ${' '.repeat(Math.max(0, (widths[at] ?? 0) - displayWidth(cell)))}${cell}`).join('')}`
  const hidden = runs.length - shown.length
  return [
    style.dim(line(t('context.runs'), heads)),
    ...(hidden > 0 ? [style.dim(`  ${t('context.earlier', { count: hidden })}`)] : []),
    ...shown.map((run, at) => line(printable(run.task) || run.runId, rows[at] ?? [])),
    style.bold(line(t('context.total'), sum)),
  ]
}

function cellsOf(
  { turns, usage, cost }: Pick<RunCost, 'turns' | 'usage' | 'cost'>,
  count: (value: number) => string,
): string[] {
  const cached = usage.input > 0 ? `${Math.round((100 * (usage.cacheRead ?? 0)) / usage.input)} %` : '–'
  return [count(turns), count(usage.input), cached, count(usage.output), cost === undefined ? '–' : tellMoney(cost)]
}

function shorten(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let cut = ''
  let width = 0
  for (const sign of text) {
    width += displayWidth(sign)
    if (width > columns - 1) break
    cut += sign
  }
  return `${cut}…`
}

/** What was taken out, oldest first. */
export function drawDropped({ dropped }: SessionContext, { t, style, lang, stdout }: Drawing): string[] {
  if (dropped.length === 0) return [t('context.nothing-dropped')]
  const lines = dropped.map((one) => drawOne(one, { t, style, lang, columns: stdout.columns }))
  const how = wrap(t('context.how-to-pin'), stdout.columns).map((line) => style.dim(line))
  return [...lines, '', ...how]
}

function drawOne(
  one: Dropped,
  { t, style, lang, columns }: Pick<Drawing, 't' | 'style' | 'lang'> & { columns: number },
): string {
  const seq = style.dim(`#${one.seq}`.padEnd(7))
  if (one.kind === 'pruned') {
    const pinned = one.isPinned ? ` ${style.green(t('context.is-pinned'))}` : ''
    return `${seq}${style.cyan(printable(one.tool))} ${shorten(printable(one.about), Math.max(16, columns - 44))} ${style.dim(printable(one.callId))}${pinned}`
  }
  const { before = 0, after = 0 } = one.tokens ?? {}
  const numbers = { seq: one.before, from: before.toLocaleString(lang), to: after.toLocaleString(lang) }
  return `${seq}${style.yellow(t('context.condensed-at', numbers))}`
}
