import type { Translator } from '@maru/i18n'
import type { Part } from '@maru/protocol'
import { cutText, type TextStyle, wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'

/** What a person said, and how it is to reach the model. */
export interface SaidWords {
  readonly text: string
  readonly delivery: 'steer' | 'queue'
}

interface Words {
  readonly t: Translator
  readonly style: TextStyle
  readonly width: number
}

const SHOWN_LINES = 12

/** The person's words as they stand above the answer; of a long paste, the beginning. */
export function saidLines({ text }: SaidWords, { t, style, width }: Words): string[] {
  const given = printable(text.trimEnd(), { keepLines: true }).replaceAll('\t', '    ').split('\n')
  const hidden = given.length > SHOWN_LINES + 1 ? given.length - SHOWN_LINES : 0
  const shown = hidden > 0 ? given.slice(0, SHOWN_LINES) : given
  const lines = shown.flatMap((line) => wrapText(line, Math.max(1, width - 2)))
  const marked = lines.map((line, at) => style.bold(`${at === 0 ? '›' : ' '} ${line}`))
  return hidden > 0 ? [...marked, style.dim(`  ${t('screen.more-lines', { count: hidden })}`)] : marked
}

/** One line for words that wait. */
export function queuedLine({ text, delivery }: SaidWords, { t, style, width }: Words): string {
  const label = delivery === 'steer' ? t('screen.steering') : t('screen.queued')
  return cutText(style.dim(`› ${printable(text.trim().replaceAll(/\s+/g, ' '))} (${label})`), width)
}

/** The text among the parts; files and images by their names. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => {
      if (part.type === 'text') return [part.text]
      if (part.type === 'file') return [`[${part.name}]`]
      return part.type === 'image' ? [`[${part.mediaType}]`] : []
    })
    .join('\n')
}

/** Whether it is meant for Maru itself. A path that begins with a slash is not. */
export function isSlash(text: string): boolean {
  return /^\/[\p{L}\p{N}_:-]*(\s|$)/u.test(text)
}
