/** What a run of `*`, `_` or `~` can do, by what stands beside it. */
export interface Flanking {
  readonly canOpen: boolean
  readonly canClose: boolean
}

// With the signs that are written only there: 「」、。
const CJK =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/**
 * CommonMark's rule, but for one thing: it takes words to be set off by blanks, so that in `**"말"**이라고` nothing would
 * be bold. Beside a letter of a script that is written without blanks, or joins particles to words, punctuation does not
 * keep a run from opening or closing.
 */
export function flankingOf(source: string, start: number, end: number): Flanking {
  const before = kindOf(signBefore(source, start))
  const after = kindOf(source.codePointAt(end))
  const isLeft = after !== 'blank' && (after !== 'punctuation' || before !== 'letter')
  const isRight = before !== 'blank' && (before !== 'punctuation' || after !== 'letter')
  if (source[start] !== '_') return { canOpen: isLeft, canClose: isRight }
  return {
    canOpen: isLeft && (!isRight || before === 'punctuation'),
    canClose: isRight && (!isLeft || after === 'punctuation'),
  }
}

type Kind = 'blank' | 'punctuation' | 'letter' | 'cjk'

function kindOf(code: number | undefined): Kind {
  if (code === undefined) return 'blank'
  const sign = String.fromCodePoint(code)
  if (/\s/.test(sign)) return 'blank'
  if (CJK.test(sign)) return 'cjk'
  return PUNCTUATION.test(sign) ? 'punctuation' : 'letter'
}

function signBefore(source: string, at: number): number | undefined {
  if (at === 0) return undefined
  const isPair = at > 1 && /[\udc00-\udfff]/.test(source[at - 1] ?? '')
  return source.codePointAt(isPair ? at - 2 : at - 1)
}
