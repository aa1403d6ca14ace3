import type { Assignment, Command } from 'unbash'
import type { Context } from './context.ts'
import { judgeRedirections } from './redirections.ts'
import { exact, type Field, type Input, type Scope, unknown } from './scope.ts'
import { assign } from './variables.ts'

interface Around {
  readonly scope: Scope
  readonly context: Context
  readonly input: Input
  readonly output?: string | undefined
}

/** Judges a simple command: what is assigned, where it reads and writes, and the words themselves. */
export function judgeSimple(command: Command, { scope, context, input, output }: Around): void {
  const { name, prefix, args, redirects } = command
  const isForCommand = name !== undefined
  for (const part of prefix) {
    if (part.type !== 'Assignment') continue
    const value = assignedValue(part, scope, context)
    // `IFS= read -r line` says where `read` splits, and nothing else.
    if (part.name === 'IFS' && name?.text === 'read') continue
    assign(part.name, value, { scope, context, isForCommand, isAppended: part.append ?? false })
  }
  const words: Field[] = name ? context.fields(name, scope) : []
  for (const word of args) {
    if (word.type === 'Word') words.push(...context.fields(word, scope))
    else words.push(argumentOf(word, scope, context))
  }
  const program = words[0]?.text.replace(/^.*\//, '') ?? 'bash'
  const next = redirects.length > 0 ? judgeRedirections(redirects, { program, scope, context, input }) : input
  if (words.length > 0) context.words(words, { scope, input: next, output, isDirect: true })
}

function assignedValue({ value, index }: Assignment, scope: Scope, context: Context): Field {
  if (index) {
    const field = context.whole(index, scope)
    if (!field.isExact || !/^\d+$/.test(field.text)) context.doubt('dynamic', `[${index.text}]`)
  }
  if (value.type === 'Word') return context.whole(value, scope)
  // `[name]=value`: the name is arithmetic.
  for (const { text } of value.elements) if (/^\[(?!\d+\]=)/.test(text)) context.doubt('dynamic', text)
  const fields = value.elements.flatMap((element) => context.fields(element, scope))
  const isNumber = fields.every(({ isExact, text }) => isExact && /^\d+$/.test(text))
  return unknown({ isNumber })
}

// `export NAME=value`: a word for the builtin.
function argumentOf(assignment: Assignment, scope: Scope, context: Context): Field {
  const value = assignedValue(assignment, scope, context)
  return { ...exact(''), ...value, text: `${assignment.name}=${value.text}` }
}
