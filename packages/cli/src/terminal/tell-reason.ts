import { allMessages, isMessageKey, type Translator } from '@maru/i18n'
import type { Why } from '@maru/protocol'

/** A decision, as far as it tells why. */
export interface Reasoned {
  readonly rule?: string | undefined
  readonly reason: string
  readonly why?: Why | undefined
}

/** Why a call was decided so, in the reader's language; what a rule's author wrote stays as it is. */
export function tellReason({ why, rule = '', reason }: Reasoned, t: Translator): string {
  if (!rule.startsWith('built-in/')) return reason
  // Both are codes of the guard's, and a log may hold codes that this version does not know.
  const keys = [`why.${why?.code}`, rule.replace('built-in/', 'policy.')]
  const key = keys.find(isMessageKey)
  // Which of the placeholders a message has differs; those it has not are left aside.
  const tell = t as (key: string, values: { program: string; what: string }) => string
  return key === undefined ? reason : tell(key, { program: why?.program ?? '', what: why ? tellThing(why, t) : '' })
}

// What a command touches is a path or a word of the line, or one of the guard's own phrases.
function tellThing({ code, what }: Why, t: Translator): string {
  if (t('language.tag') === 'en' || !what.includes(' ')) return what
  // What a parser has to say about a line is nothing that the catalogue could know.
  if (code === 'syntax') return t('thing.syntax')
  const known = Object.entries(allMessages()).find(([key, { en }]) => key.startsWith('thing.') && en === what)
  return known ? (t as (key: string) => string)(known[0]) : what
}
