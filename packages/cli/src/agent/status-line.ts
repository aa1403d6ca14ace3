import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { Translator } from '@maru/i18n'
import type { Usage } from '@maru/protocol'
import { cutText, type TextStyle, widthOf } from '@maru/terminal'
import type { Mode } from '../config/choices.ts'
import { printable } from '../terminal/printable.ts'

/** What the line at the bottom says, as far as it is known yet. */
export interface Status {
  readonly model: string
  readonly mode: Mode
  readonly effort?: string | undefined
  readonly sandbox: 'full' | 'none' | 'unknown'
  readonly root: string
  readonly tokens: Usage
  readonly money?: number | undefined
  readonly context: { readonly tokens: number; readonly limit: number }
}

export interface StatusWords {
  readonly t: Translator
  readonly style: TextStyle
  readonly width: number
  readonly home?: string
}

/** One line: model, mode, tokens, cost, context, sandbox, place. Where it is too long, the least important goes first. */
export function renderStatus(status: Status, { t, style, width, home = homedir() }: StatusWords): string {
  const { money, context, sandbox } = status
  const model = printable(status.effort === undefined ? status.model : `${status.model} ${status.effort}`)
  const percent = context.limit > 0 ? Math.round((100 * context.tokens) / context.limit) : 0
  const place = printable(shortPath(status.root, home))
  const used = status.tokens.input + status.tokens.output
  // The larger the number, the sooner it goes.
  const parts: Part[] = [
    { keep: 0, text: model, paint: style.cyan },
    { keep: 1, text: t('screen.mode', { mode: status.mode }), paint: MODE_PAINT[status.mode](style) },
    ...(used === 0 ? [] : [{ keep: 5, text: t('screen.tokens', { count: shortCount(used) }), paint: style.dim }]),
    ...(money === undefined || used === 0 ? [] : [{ keep: 3, text: tellMoney(money), paint: style.dim }]),
    { keep: 2, text: t('screen.context', { percent }), paint: levelPaint(percent, style) },
    ...(sandbox === 'full' ? [{ keep: 6, text: t('screen.sandbox'), paint: style.dim }] : []),
    ...(sandbox === 'none' ? [{ keep: 4, text: t('screen.no-sandbox'), paint: style.yellow }] : []),
    { keep: 7, text: place, paint: style.dim, short: printable(basename(status.root)) },
  ]
  return fit(parts, width, style)
}

interface Part {
  readonly keep: number
  readonly text: string
  readonly paint: (text: string) => string
  /** Tried before it goes. */
  readonly short?: string
}

const SEPARATOR = ' · '

function fit(parts: readonly Part[], width: number, style: TextStyle): string {
  const line = (shown: readonly Part[]) => shown.map(({ text, paint }) => paint(text)).join(style.dim(SEPARATOR))
  let shown = parts.map((part) => ({ ...part }))
  while (shown.length > 1 && widthOf(line(shown)) > width) {
    const [last] = shown.toSorted((one, other) => other.keep - one.keep)
    shown = shown.flatMap((part) => {
      if (part !== last) return [part]
      return part.short !== undefined && part.short !== part.text ? [{ ...part, text: part.short }] : []
    })
  }
  return cutText(line(shown), width)
}

const MODE_PAINT: { [mode in Mode]: (style: TextStyle) => Part['paint'] } = {
  ask: ({ dim }) => dim,
  'read-only': ({ dim }) => dim,
  auto: ({ yellow }) => yellow,
  yes: ({ red }) => red,
}

function levelPaint(percent: number, style: TextStyle): Part['paint'] {
  return percent >= 92 ? style.red : percent >= 80 ? style.yellow : style.dim
}

function shortPath(path: string, home: string): string {
  if (path === home) return '~'
  return home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** 950, 12.3k, 4.5M: short enough to stand in a line that is always there. */
export function shortCount(value: number): string {
  if (value < 1000) return String(value)
  const [size, unit] = value < 999_950 ? [1000, 'k'] : [1_000_000, 'M']
  return `${(value / size).toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** Dollars; small amounts with the places that make them more than nothing. */
export function tellMoney(money: number): string {
  return `$${money.toFixed(money < 1 ? 4 : 2)}`
}

/** 4 s, 1:05, 1:02:03: how long something has been under way. */
export function shortTime(milliseconds: number, t: Translator): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return t('screen.seconds', { count: seconds })
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
