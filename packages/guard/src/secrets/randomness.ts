const PLACEHOLDER_WORDS =
  /example|placeholder|your|changeme|change[-_]me|dummy|redacted|replace|insert|sample|todo|fixme|fake|(?:^|[-_])(?:test|mock|foo|bar|baz)(?:$|[-_])|x{4}|\.\.\.|\*\*\*|…|•••|---|___|0{8}|1234567|abcdefg|deadbeef|lorem|not[-_]?a[-_]?real|asdf|qwerty/gi
// Real as some of these are, they are what everybody writes before there is a real one.
const COMMON_WORDS =
  /^(?:pass(?:word|wd|w|phrase)?\d{0,3}|pwd|secret\d{0,3}|admin\d{0,3}|root|toor|user(?:name)?|guest|default|postgres(?:ql)?|mysql|redis|mongo|test(?:ing)?\d{0,3}|demo|none|null|nil|undefined|true|false|yes|no|on|off|empty|string|str|text|number|boolean|bool|any|unknown|object|bytes|int|float|void|token|key|apikey|api[-_]?key|auth|basic|bearer|digest|negotiate|required|optional|hidden|password_hash|x-oauth-basic|oauth2?|letmein|hello|world|value|env|vault|keychain|prompt|ask|inherit|self|this|auto|disabled|enabled|always|never|development|production|staging|local|localhost|maru|비밀번호|암호)$/i
const REFERENCES =
  /^(?:<[^>]*>?$|\{.*\}$|\[.*\]$|\(.*\)?$|@[A-Za-z.]{3,}[({]|\$[({]|#\{|!(?:ref|sub|secret|vault|env)\b|env[:(.]|vault:|ref[:+]|op:\/\/|arn:aws:|secrets?[.:/]|file:|\/\/|projects\/|process\.env|os\.(?:environ|getenv)|getenv|import\.meta|System\.|ENV\[|var\.|local\.|data\.|config\.|settings\.|self\.|this\.|https?:\/\/[^@]*$)/i
const VARIABLE = /^(?:\$(\w+)|%(\w+)%)$/

/** Whether a value only stands for one: written to be replaced, taken from elsewhere, or what everybody writes. */
export function isPlaceholder(value: string): boolean {
  return (
    COMMON_WORDS.test(value) ||
    REFERENCES.test(value) ||
    isVariable(value) ||
    holdsPlaceholder(value.length > 200 ? value.slice(0, 200) : value) ||
    isMonotone(value)
  )
}

// By chance such a word stands in a key as well, but hardly in letters as people write words: `yoUr` is none.
function holdsPlaceholder(value: string): boolean {
  for (const [word] of value.matchAll(PLACEHOLDER_WORDS)) {
    if (/^(?:[^a-z]+|.[^A-Z]*|[Cc]hange.?Me|not.?A.?Real)$/.test(word) || /^abc/i.test(word)) return true
  }
  return false
}

function isVariable(value: string): boolean {
  const match = VARIABLE.exec(value)
  const name = match?.[1] ?? match?.[2]
  return name !== undefined && (/^[A-Z0-9_]+$/.test(name) || !isRandom(name))
}

/** Bits per character, as far as a text this short can tell. */
export function entropyOf(text: string): number {
  const counts = new Map<number, number>()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

// A few signs repeated: `xxxx`, `0000`, `ababab`.
function isMonotone(value: string): boolean {
  return new Set(value).size <= Math.min(3, value.length / 3)
}

/** What a text is made of, and how often it turns from one kind of sign to another. */
export function measure(text: string) {
  let [lower, upper, digit, symbol, runs] = [0, 0, 0, 0, 0]
  let last = 0
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === 1) lower++
    else if (kind === 2) upper++
    else if (kind === 3) digit++
    else symbol++
    // A capital and what follows it are one word.
    if (kind !== last && !(kind === 1 && last === 2 && kindOf(text.charCodeAt(at - 2)) !== 2)) runs++
    last = kind
  }
  return { lower, upper, digit, symbol, runs }
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  if (code >= 48 && code <= 57) return 3
  return 4
}

/** Whether letters and digits follow each other as only chance makes them: no words, no names, no numbers. */
export function isRandom(text: string): boolean {
  if (text.length < 8) return false
  const { lower, upper, digit, symbol, runs } = measure(text)
  const letters = lower + upper
  if (letters + digit < text.length * 0.6 || letters === 0) return false
  if (Number(lower > 0) + Number(upper > 0) + Number(digit > 0) < 2) return false
  if (entropyOf(text) < Math.min(2.6, Math.log2(text.length) * 0.8)) return false
  const { pairs, common } = countPairs(text)
  const wordiness = pairs === 0 ? 0 : common / pairs
  if (pairs >= 6 && wordiness > (digit > 2 ? 0.7 : 0.62)) return false
  const alike = (text.length - symbol) / Math.max(1, runs - symbol)
  if (alike < (digit > 0 ? 3.4 : 2.6)) return true
  return pairs >= 9 && wordiness < 0.4 && upper > 0 && lower > 0
}

// The pairs of letters that most pairs in English words, and in names made of them, are.
const COMMON_PAIRS = new Set(
  [
    'er in re on th te st en es or de nt he ti ar at co se le ed io al ng ns pe ro nd it me an tr ra ri',
    'ec ce ex et ea ct ne nc li is ta rt un pr od om fi ve ty pa ll ss as si ac no po am ur ge ma il to',
    'op ca ch yp rr la lo ad ts ef be ha so ol ue id di em um na el ou im nu ul hi fo pt ke ic va us lu',
    'fa ut do tt xp mp oc ot mi rs ai mb mo xt wi tu cl ev ck ag ie pl rn ob ho ig ep fu ly bl ay oo bo',
    'ht ap sa ru sp tp bu fe ab wa lt gi ds oi ow sh fr su cr os da je ni ba ee ff rc sy ls vo rg ps if',
    'nl bi qu rf ry of wh vi sc bj pu js ia yn eq',
  ].flatMap((row) => row.split(' ')),
)

/**
 * Whether a text is made of no words: less than chance would show, but enough where something else says that it is a key.
 */
export function isUnlikeWords(text: string): boolean {
  const { pairs, common } = countPairs(text)
  const wordiness = pairs === 0 ? 0 : common / pairs
  const { digit, lower, upper } = measure(text)
  if (text.length >= 20 && lower > 0 && upper > 0) return wordiness < (digit > 1 ? 0.75 : 0.6)
  return text.length >= 8 && digit > 0 && pairs >= 2 && wordiness < 0.6
}

/** Whether letters of both cases and digits turn into each other as in no word, however much their pairs look like some. */
export function turnsOften(text: string): boolean {
  const { lower, upper, digit, runs } = measure(text)
  return text.length >= 12 && lower > 2 && upper > 2 && digit > 0 && runs >= text.length / 2.5
}

/** Whether the letters of a text are mostly words. */
export function isWordy(text: string): boolean {
  const { pairs, common } = countPairs(text)
  return pairs >= 4 && common / pairs > 0.6
}

function countPairs(text: string): { pairs: number; common: number } {
  const lower = text.toLowerCase()
  let pairs = 0
  let common = 0
  for (let at = 0; at + 1 < lower.length; at++) {
    if (!isLetter(lower.charCodeAt(at)) || !isLetter(lower.charCodeAt(at + 1))) continue
    pairs++
    if (COMMON_PAIRS.has(lower.slice(at, at + 2))) common++
  }
  return { pairs, common }
}

const isLetter = (code: number) => code >= 97 && code <= 122

/** Whether a text is hexadecimal only, as hashes are. */
export function isHex(text: string): boolean {
  return /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
