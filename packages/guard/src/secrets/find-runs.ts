/** What keys, tokens and their encodings are made of: 1, and 2 for what words are rarely made of: capitals and digits. */
const TOKEN_SIGNS = new Uint8Array(65536)
for (const sign of 'abcdefghijklmnopqrstuvwxyz_-.+/=%~') TOKEN_SIGNS[sign.charCodeAt(0)] = 1
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') TOKEN_SIGNS[sign.charCodeAt(0)] = 2

/** Shorter than any vendor's key. */
const SHORTEST = 14
/** Fewer capitals and digits than any of them has. */
const FEWEST = 4

/**
 * Calls `take` with each run of token signs that is long enough to hold a key. Words are short: looking at the sign
 * where a long run would have to have one lets most of a text be jumped over unread.
 */
export function findRuns(text: string, take: (start: number, end: number) => void): void {
  const { length } = text
  let from = 0
  while (from + SHORTEST <= length) {
    let at = from + SHORTEST - 1
    while (at >= from && TOKEN_SIGNS[text.charCodeAt(at)] !== 0) at--
    if (at >= from) {
      from = at + 1
      continue
    }
    let rare = 0
    let end = from
    for (let sign = 2; end < length && sign !== 0; end++) {
      sign = TOKEN_SIGNS[text.charCodeAt(end)] ?? 0
      if (sign === 2) rare++
    }
    if (end < length || TOKEN_SIGNS[text.charCodeAt(end - 1)] === 0) end--
    if (rare >= FEWEST) take(from, end)
    from = end + 1
  }
}

export function isToken(code: number): boolean {
  return TOKEN_SIGNS[code] !== 0
}
