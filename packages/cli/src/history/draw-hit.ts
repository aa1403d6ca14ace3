import type { Translator } from '@maru/i18n'
import type { Hit } from '@maru/store'
import { printable } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { localTime } from './parse-time.ts'

/** A hit as two lines: where it is, and what stands there with the words marked. */
export function drawHit(hit: Hit, { t, style }: { t: Translator; style: Style }): string[] {
  const { conversation, seq, title, role, at } = hit
  const name = title === undefined ? style.dim(t('search.untitled')) : style.bold(oneLine(title))
  const place = [localTime(at), roleName(role, t), `${printable(conversation)} #${seq}`].join(' · ')
  return [`${name}  ${style.dim(place)}`, `  ${drawSnippet(hit, style)}`]
}

function drawSnippet({ snippet, ranges }: Hit, style: Style): string {
  let drawn = ''
  let last = 0
  for (const [start, end] of ranges) {
    drawn += oneLine(snippet.slice(last, start)) + style.bold(style.yellow(oneLine(snippet.slice(start, end))))
    last = end
  }
  return (drawn + oneLine(snippet.slice(last))).trim()
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '))
}

function roleName(role: string, t: Translator): string {
  switch (role) {
    case 'user':
      return t('search.role.user')
    case 'assistant':
      return t('search.role.assistant')
    case 'system':
      return t('search.role.system')
    case 'title':
      return t('search.role.title')
    default:
      return t('search.role.note')
  }
}
