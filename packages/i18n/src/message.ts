import { hasFinalConsonant } from './final-sound.ts'
import type { Lang } from './language.ts'

/** One thing to say, in every language we speak. */
export interface Message {
  readonly en: string
  readonly ko: string
}

/** The names between braces: `{name}`, or `{name|one|other}` with the words to choose from. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? (Inside extends `${infer Name}|${string}` ? Name : Inside) | Placeholder<Rest>
  : never

export type Values<Text extends string> = { readonly [Name in Placeholder<Text>]: string | number }

type SamePlaceholders<Table> = {
  [Key in keyof Table]: Table[Key] extends { en: infer En extends string; ko: infer Ko extends string }
    ? [Placeholder<En>, Placeholder<Ko>] extends [Placeholder<Ko>, Placeholder<En>]
      ? Table[Key]
      : { en: En; ko: `Korean needs the placeholders of English: ${Placeholder<En>}` }
    : never
}

/** Declares the messages of one subject; a language that lacks a placeholder of the other does not compile. */
export function defineMessages<const Table extends Record<string, Message>>(table: Table & SamePlaceholders<Table>) {
  return table as Table
}

/**
 * Fills a text. `{n}` is the value; `{n|line|lines}` is only the word that fits it: by count in English, by final
 * sound in Korean (`"{path}"{path|을|를}`), so that quotes and spaces may stand between.
 */
export function fill(text: string, lang: Lang, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    if (one === undefined || other === undefined) return String(value)
    return lang === 'ko' ? particle(String(value), one, other) : Number(value) === 1 ? one : other
  })
}

function particle(value: string, closed: string, open: string): string {
  const final = hasFinalConsonant(value)
  // Nobody can know how it is read: write both, as Korean does.
  if (final === undefined) return closed === '으로' ? '(으)로' : `${closed}(${open})`
  // After ㄹ it is 로, though ㄹ is a consonant.
  if (final === 'rieul') return closed === '으로' ? open : closed
  return final ? closed : open
}
