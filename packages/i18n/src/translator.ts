import { type Catalogue, findMessage } from './catalogue.ts'
import type { Lang } from './language.ts'
import { fill, type Values } from './message.ts'

/** The name of a message. */
export type MessageKey = keyof Catalogue

/** The name of a message without placeholders: what tables may hold. */
export type PlainKey = { [Key in MessageKey]: keyof ValuesOf<Key> extends never ? Key : never }[MessageKey]

export type ValuesOf<Key extends MessageKey> = Values<Catalogue[Key]['en']>

/** Says a message in one language; the placeholders it needs are part of its type. */
export type Translator = <Key extends MessageKey>(
  key: Key,
  ...values: keyof ValuesOf<Key> extends never ? [] : [values: ValuesOf<Key>]
) => string

export function createTranslator(lang: Lang): Translator {
  return (key, ...[values]) => fill(findMessage(key)[lang], lang, values ?? {})
}
