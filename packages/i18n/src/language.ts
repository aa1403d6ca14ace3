/** The languages we speak. */
export const LANGS = ['en', 'ko'] as const
export type Lang = (typeof LANGS)[number]

export interface LanguageWishes {
  readonly flag?: string | undefined
  readonly env?: string | undefined
  readonly config?: string | undefined
  /** A POSIX locale or a browser's tag: `ko_KR.UTF-8`, `ko-KR`. */
  readonly locale?: string | undefined
}

/** The first wish we can fulfil; English where there is none. */
export function pickLanguage({ flag, env, config, locale }: LanguageWishes): Lang {
  for (const wish of [flag, env, config, locale]) {
    const name = wish?.toLowerCase().match(/^[a-z]+/)?.[0]
    const lang = LANGS.find((known) => known === name)
    if (lang) return lang
  }
  return 'en'
}
