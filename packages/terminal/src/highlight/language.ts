/** What a stretch of code is, as far as it has a colour. */
export type Token =
  | 'keyword'
  | 'type'
  | 'constant'
  | 'string'
  | 'number'
  | 'comment'
  | 'name'
  | 'title'
  | 'added'
  | 'removed'
  | 'place'

/**
 * One thing to look for. The expression is tried at every place where the ones before it did not match; it has to take
 * what it has begun without looking far ahead, so that the time stays linear.
 */
export interface Rule {
  readonly match: string
  readonly token?: Token
  /** Instead of `token`: by the word that was found. */
  readonly words?: Words
  /** Another mode from here on, or `back` to the one before. */
  readonly mode?: string
}

/** Words by what they are. */
export interface Words {
  get(word: string): Token | undefined
}

/** A language as data: rules for each mode, `start` being the first. Modes go on over the ends of lines. */
export interface Language {
  readonly modes: Readonly<Record<string, readonly Rule[]>>
  readonly ignoresCase?: true
}

/** Words written as one text for each kind. Taken apart when the first is looked up: few languages are, and none at the start. */
export function wordsOf(lists: Partial<Record<Token, string>>): Words {
  let words: Map<string, Token> | undefined
  return {
    get(word) {
      words ??= readLists(lists)
      return words.get(word)
    },
  }
}

function readLists(lists: Partial<Record<Token, string>>): Map<string, Token> {
  const words = new Map<string, Token>()
  for (const [token, list] of Object.entries(lists))
    for (const word of list.split(/\s+/)) words.set(word, token as Token)
  return words
}

/** A string that ends with its line, closed or not. */
export function stringRule(quote: string): Rule {
  return { match: String.raw`${quote}(?:[^${quote}\\]|\\.)*(?:${quote}|\\?$)`, token: 'string' }
}

/** A string or comment over several lines: the rule that opens it, and the mode that it is in. */
export function spanning(
  mode: string,
  { open, close, token, hasEscapes }: { open: string; close: string; token: Token; hasEscapes?: true },
): { rule: Rule; modes: Record<string, readonly Rule[]> } {
  const first = close.startsWith('\\') ? close.slice(0, 2) : close.slice(0, 1)
  const inside: Rule[] = [
    { match: close, token, mode: 'back' },
    ...(hasEscapes ? [{ match: String.raw`\\.?`, token }] : []),
    { match: hasEscapes ? String.raw`[^\\${first}]+` : `[^${first}]+`, token },
    { match: '.', token },
  ]
  return { rule: { match: open, token, mode }, modes: { [mode]: inside } }
}

export const NUMBER: Rule = {
  match: String.raw`(?<![\p{L}\p{N}_])(?:0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z]{0,3}(?![\p{L}\p{N}_])`,
  token: 'number',
}

/** A word that is a keyword, a type or nothing special. */
export function wordRule(words: Words): Rule {
  return { match: String.raw`[\p{L}_$][\p{L}\p{N}_$]*`, words }
}
