import { lineBefore } from './line-before.ts'
import { asLatin1, type NameStrength, strengthOf } from './secret-names.ts'

/** A name as it stands before a sign. */
export interface Name {
  readonly text: string
  readonly start: number
}

const NAME_LIMIT = 80
// What may stand between a name and its sign: `"password" :`, `password?:`, `['password'] =`, `password :=`.
const FILLERS = new Set([32, 9, 34, 39, 96, 63, 93, 92, 58, 42])

/** The name that stands before a sign, if one does. */
export function nameBefore(text: string, at: number): Name | undefined {
  let end = at
  for (let steps = 0; steps < 6 && end > 0 && FILLERS.has(text.charCodeAt(end - 1)); steps++) end--
  let start = end
  while (start > 0 && end - start < NAME_LIMIT && isNameSign(text.charCodeAt(start - 1))) start--
  // One sign is a name only where a sign is a syllable.
  return end - start >= 2 || text.charCodeAt(start) >= 128 ? { text: text.slice(start, end), start } : undefined
}

function isNameSign(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46 ||
    code >= 128
  )
}

/** What a name says of its value, where a word alone says nothing: with the name that it only adds to. */
export function judgedName(text: string, { text: name, start }: Name): NameStrength | undefined {
  const strength = strengthOf(name)
  if (strength !== undefined && strength !== 'weak') return strength
  const other = ADDITIONS.get(name.toLowerCase())
  const before = other === undefined ? undefined : other.exec(lineBefore(text, start, 100))?.[1]
  if (before === undefined) return strength
  return strengthOf(other !== KEY ? before : /[a-z]$/i.test(name) ? `${before} ${name}` : before + name)
}

// `password: string = …`, `const TOKEN: &str = …`, `var apiKey string = …`
const TYPED = /(?:^|[^\w.-])([A-Za-z_$][\w$]{1,60})[!?]?(?:[ \t]*:[ \t]*(?:&(?:'static[ \t]+)?)?|[ \t]+)$/
// <add key="Password" value="…">, {"name":"DB_PASSWORD","value":"…"}
const ATTRIBUTE = /(?:name|key|Name|Key)\\?["']?[ \t]*[=:][ \t]*\\?["']([\w.:-]{2,60})\\?["'][ \t]*,?[ \t]*\\?["']?$/
// `API key: …`, `시크릿 키: …`
const KEY = /(?:^|[^\w\u0080-\uffff])([\w\u0080-\uffff-]{2,40})[ \t]$/
const KOREAN_KEY = '키'
const ADDITIONS = new Map<string, RegExp>([
  ['string', TYPED],
  ['str', TYPED],
  ['value', ATTRIBUTE],
  ['key', KEY],
  [KOREAN_KEY, KEY],
  [asLatin1(KOREAN_KEY), KEY],
])
