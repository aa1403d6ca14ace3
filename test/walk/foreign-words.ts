import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allMessages, type Lang } from '@maru/i18n'

// Read as text: nothing imports a door.
const registry = readFileSync(join(import.meta.dirname, '../../packages/cli/src/registry.ts'), 'utf8')

/** The commands of `maru`, in the order of its help. */
export const COMMANDS = [...registry.matchAll(/^ {2}(\w+): \{\s*summary/gm)].map(([, name]) => name as string)

/**
 * The words of a text that belong to the other language. Names and code are nobody's; a word that our own Korean uses, such
 * as the name of a key or of a setting, is Korean.
 */
export function foreignWords(text: string, lang: Lang): string[] {
  if (lang === 'en') return text.match(/\S*\p{Script=Hangul}\S*/gu) ?? []
  return wordsOf(withoutCode(text)).filter((word) => englishWords().has(word) && !COMMANDS.includes(word))
}

/** What stands for itself in every language: what is typed, called, written into a file, or the name of a place. */
const CODE: readonly RegExp[] = [
  // A line of the shell, of a command that is to run, of a file that changes.
  /^\s*[$+-] .*$/gm,
  /^\s*(?:[~|│]|@@|\d+ [+-]|---|\+\+\+).*$/gm,
  // A call up to what came of it; the code in front of a problem.
  /\[tool\].*?(?= · |$)/gm,
  /^\s+[a-z-]+: /gm,
  // What is listed at the left, two blanks before what is said of it.
  /^ *[!-~](?: ?[!-~])*(?= {2})/gm,
  /"[^"\n]*"|\{[^{}\n]*\}|\[[^[\]\n]*\]|\([!-~]*\)/g,
  /\bmaru(?: [\w|…-]+)*/g,
  // Options, paths, variables, settings, codes: a word with a sign that no sentence has inside a word.
  /[\w.…~]*[-_/=@:.|<>#$\d\\][^\s\p{Script=Hangul}]*/gu,
  // PATH, WORDS: stand for something.
  /\b[A-Z]{2,}\b/g,
]

function withoutCode(text: string): string {
  let rest = text
  for (const code of CODE) rest = rest.replaceAll(code, ' ')
  return rest
}

function wordsOf(text: string): string[] {
  return (text.match(/[a-z]+/gi) ?? []).map((word) => word.toLowerCase()).filter((word) => word.length > 1)
}

let english: Set<string> | undefined

/** The words of our English that our Korean does without. */
function englishWords(): Set<string> {
  if (english) return english
  const messages = Object.values(allMessages())
  const korean = new Set(messages.flatMap(({ ko }) => wordsOf(withoutCode(ko))))
  english = new Set(messages.flatMap(({ en }) => wordsOf(withoutCode(en))).filter((word) => !korean.has(word)))
  return english
}
