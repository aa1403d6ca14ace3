import { createTranslator, type Lang, type Translator } from '@maru/i18n'

/** The language that is spoken now; whoever holds `t` follows when it changes. */
export interface Speaking {
  readonly t: Translator
  readonly lang: Lang
  set(lang: Lang): void
}

export function createSpeaking(first: Lang): Speaking {
  let lang = first
  let translate = createTranslator(first)
  return {
    t: (key, ...values) => translate(key, ...values),
    get lang() {
      return lang
    },
    set(next) {
      lang = next
      translate = createTranslator(next)
    },
  }
}
