import type { Command, ParsedScript } from 'unbash'
import type { Context } from './context.ts'
import type { Scope } from './scope.ts'

/** The output of a substitution that only prints what stands in it. */
export function foldOutput({ commands }: ParsedScript, scope: Scope, context: Context): string | undefined {
  const [only, ...rest] = commands
  return rest.length === 0 && only?.command.type === 'Command' ? foldCommand(only.command, scope, context) : undefined
}

/** What a command prints, where that can be told: `echo`, `printf` of plain words, `pwd`. */
export function foldCommand({ name, suffix, prefix }: Command, scope: Scope, context: Context): string | undefined {
  const program = name?.parts === undefined ? name?.value : undefined
  if (prefix.length > 0) return undefined
  if (program === 'pwd' && suffix.length === 0) return scope.cwd
  if (program !== 'echo' && program !== 'printf') return undefined
  const texts: string[] = []
  for (const word of suffix) {
    // What is substituted in there was judged already, and is not worth a second look.
    if (word.type !== 'Word' || /\$\(|`|[<>]\(|\$\{/.test(word.text)) return undefined
    for (const { text } of context.fields(word, scope)) texts.push(text)
  }
  if (program === 'echo') {
    while (/^-[neE]+$/.test(texts[0] ?? '')) texts.shift()
    return texts.join(' ')
  }
  const [format = '', ...values] = texts
  return values.length === 0 ? decodeEscapes(format) : values.join(/\\n|\n/.test(format) ? '\n' : '')
}

function decodeEscapes(text: string): string {
  return text
    .replace(/\\x([\da-fA-F]{1,2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\0?([0-7]{1,3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
}
