/**
 * Whether a word, read aloud in Korean, ends in a consonant; `rieul` for ㄹ, which one particle treats apart;
 * nothing where the reading cannot be known. Latin words are a good guess, not a dictionary.
 */
export function hasFinalConsonant(word: string): boolean | 'rieul' | undefined {
  const last = word.replace(/[^\p{L}\p{N}]+$/u, '').at(-1)
  if (last === undefined) return undefined
  const syllable = last.charCodeAt(0) - 0xac00
  if (syllable >= 0 && syllable < 11_172) return syllable % 28 === 8 ? 'rieul' : syllable % 28 !== 0
  if (/[0-9]/.test(last)) return DIGITS[Number(last)]
  if (/[A-Za-z]/.test(last)) return ofLatin(/[A-Za-z]+(?=[^\p{L}\p{N}]*$)/u.exec(word)?.[0] ?? last)
  return undefined
}

// 영 일 이 삼 사 오 육 칠 팔 구; tens, hundreds and thousands end in a consonant like 영.
const DIGITS = [true, 'rieul', false, true, false, false, true, 'rieul', 'rieul', false] as const

function ofLatin(word: string): boolean | 'rieul' {
  // Capitals, and words without a vowel, are spelt letter by letter: 엘, 알, 엠, 엔.
  if (word === word.toUpperCase() || !/[aeiouy]/i.test(word)) return /[LR]$/i.test(word) ? 'rieul' : /[MN]$/i.test(word)
  const lower = word.toLowerCase()
  if (/le?$/.test(lower)) return 'rieul'
  if (/(m|n|ng|[aeiou][mn]e)$/.test(lower)) return true
  // A short vowel before a stop closes the syllable (깃, 맵, 웹); otherwise a vowel is added (루트, 테스트).
  return /(^|[^aeiou])[aeiou](ck|[bckpt])$/.test(lower)
}
