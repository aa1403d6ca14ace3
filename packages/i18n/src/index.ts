export { allMessages, isMessageKey } from './catalogue.ts'
export { LANGS, type Lang, type LanguageWishes, pickLanguage } from './language.ts'
export type { Message, Placeholder, Values } from './message.ts'
export { createTranslator, type MessageKey, type PlainKey, type Translator, type ValuesOf } from './translator.ts'
