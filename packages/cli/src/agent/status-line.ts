import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { Translator } from '@maru/i18n'
import type { Usage } from '@maru/protocol'
import { cutText, type TextStyle, widthOf } from '@maru/terminal'
import type { Mode } from '../config/choices.ts'
import { printable } from '../terminal/printable.ts'
import { shortCount, tellMoney } from '../terminal/short-numbers.ts'

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
