import { allMessages, type Translator } from '@maru/i18n'

/**
 * What went wrong with a model, in the reader's language. Failures are kept in English; a sentence that the catalogue
 * knows is recognised by its English and told again, and what a server said in its own words stays as it is.
 */
export function tellFailure(message: string, t: Translator): string {
  if (t('language.tag') === 'en') return message
  const [, tried, n] = /^(.*) \(tried (\d+) times\)$/s.exec(message) ?? []
  if (tried !== undefined) return t('failure.tried', { told: tellFailure(tried, t), n: n ?? '' })
  const told = tellSentence(message, t)
  if (told !== undefined) return told
  const [, host, rest] = /^(\S+): (.*)$/s.exec(message) ?? []
  const inside = rest === undefined ? undefined : tellSentence(rest, t)
  return inside === undefined ? message : t('failure.at-host', { host: host ?? '', told: inside })
}

function tellSentence(message: string, t: Translator): string | undefined {
  // Which placeholders a sentence has differs; they are named in it.
  const tell = t as (key: string, values: { [name: string]: string }) => string
  for (const { key, pattern } of sentences()) {
    const found = pattern.exec(message)?.groups
    if (!found) continue
    const { said, ...values } = found
    const told = tell(key, values)
    return said === undefined ? told : t('failure.said', { told, said })
  }
  return undefined
}

let known: { key: string; pattern: RegExp }[] | undefined

// What the others are put around.
const FRAMES = ['failure.tried', 'failure.said', 'failure.at-host']

function sentences(): { key: string; pattern: RegExp }[] {
  known ??= Object.entries(allMessages()).flatMap(([key, { en }]) =>
    key.startsWith('failure.') && !FRAMES.includes(key) ? [{ key, pattern: patternOf(en) }] : [],
  )
  return known
}

const VALUES: { readonly [name: string]: string } = { host: '\\S+?', http: '(?: \\(HTTP \\d+\\))?', status: '\\d+' }

function patternOf(english: string): RegExp {
  const source = english
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&') : `(?<${part}>${VALUES[part] ?? '.+?'})`,
    )
    .join('')
  return new RegExp(`^${source}(?:: (?<said>.*))?$`, 's')
}
