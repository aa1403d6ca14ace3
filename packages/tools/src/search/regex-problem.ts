import type { Diagnostic } from '@maru/protocol'

/** What is said about a regex that cannot be used, from the words of the engine that refused it. */
export function regexProblem(query: string, words: string): Diagnostic {
  return {
    code: 'bad-regex',
    message: `The regex ${JSON.stringify(query)} cannot be used: ${causeOf(words)}.`,
    hint: hintFor(query, words),
  }
}

function causeOf(words: string): string {
  // ripgrep shows the pattern, where it went wrong, and then says "error: …".
  const cause = /^error: (.+)$/m.exec(words)?.[1] ?? /PCRE2: (.+)$/m.exec(words)?.[1] ?? words
  const [first = ''] = cause.split('\n')
  return first.replace(/^rg: /, '').replace(/\.$/, '').slice(0, 300)
}

function hintFor(query: string, words: string): string {
  if (/\\n|newline|multiline/.test(words)) return 'Search goes line by line: look for what stands on one line.'
  if (/size limit/.test(words)) return 'Use smaller repetitions.'
  if (/repetition|quantifier|nothing to repeat/i.test(words) && /[{}]/.test(query)) {
    return 'A brace that is meant as itself is written \\{. To find the text as it is, leave out regex.'
  }
  if (/group|parenthes/i.test(words))
    return 'A parenthesis that is meant as itself is written \\(. To find the text as it is, leave out regex.'
  if (/class|bracket/i.test(words))
    return 'A bracket that is meant as itself is written \\[. To find the text as it is, leave out regex.'
  return 'To find the text as it is, leave out regex.'
}
