import { MODE_TABLE } from '@maru/guard'
import { isMessageKey, type Translator } from '@maru/i18n'
import type { Diagnostic } from '@maru/protocol'

/** What a tool reported, for a person. The diagnostic speaks English to the model: others are told what its code means. */
export function tellProblem({ code, message }: Diagnostic, t: Translator): string {
  if (t('language.tag') === 'en') return message
  // One code for two things: that nobody could be asked, nobody decided.
  const key = code === 'denied' && message.startsWith('needs approval') ? 'problem.nobody' : `problem.${code}`
  if (!isMessageKey(key)) return message
  const tell = t as (key: string) => string
  const row = code === 'denied' ? rowIn(message) : undefined
  return row === undefined ? tell(key) : `${tell(key)}: ${tell(row)}`
}

// The reason names what the call does in the words of the table; a rule of the user's own has other words.
function rowIn(message: string): string | undefined {
  const [, what] = /\bthe call (.+?);/.exec(message) ?? []
  const rule = MODE_TABLE.find((row) => row.what === what)?.rule
  const key = rule?.replace('built-in/', 'policy.')
  return key !== undefined && isMessageKey(key) ? key : undefined
}
