import { forEachChild, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { visitArithmetic } from './arithmetic.ts'
import { expandBraces } from './braces.ts'
import { type Expansion, expandParameter, expandVariable } from './parameters.ts'
import { exact, type Field, HOLE, type Scope, type Source, unknown } from './scope.ts'
import type { Visitor } from './visitor.ts'

const MAX_FIELDS = 64

/** The fields that bash makes of a word. Every substitution in it is judged on the way. */
export function expandWord(word: Word, scope: Scope, visitor: Visitor): Field[] {
  const { parts, text, value } = word
  if (parts === undefined) {
    return [text.charCodeAt(0) === 126 ? expandTilde(value, scope, visitor) : exact(value)]
  }
  const variants = expandBraces(parts)
  if (variants === undefined || variants.length > MAX_FIELDS) {
    visitInside(word, scope, visitor)
    return [unknown()]
  }
  return variants.flatMap((variant) => expandParts(variant, scope, visitor))
}

/** A word that is not split: the value of an assignment, the target of a redirection, a word of `case` or `[[`. */
export function expandWhole(word: Word, scope: Scope, visitor: Visitor): Field {
  const { parts, text, value } = word
  if (parts === undefined) {
    return text.charCodeAt(0) === 126 ? expandTilde(value, scope, visitor) : exact(value)
  }
  return joinFields(expandParts(parts, scope, visitor, true))
}

/** The text of parts in double quotes or of a here-document. */
export function expandQuoted(parts: readonly WordPart[], scope: Scope, visitor: Visitor): Field {
  return joinFields(expandParts([{ type: 'DoubleQuoted', parts } as WordPart], scope, visitor, true))
}

interface Building {
  text: string
  isExact: boolean
  isGlob: boolean
  isNumber: boolean
  hasWord: boolean
  isComputed: boolean
  isOpen: boolean
  variable?: string
  source?: Source
}

function expandParts(parts: readonly WordPart[], scope: Scope, visitor: Visitor, isWhole = false): Field[] {
  const done: Building[] = []
  let now = start()
  const add = (field: Field, isQuoted: boolean) => {
    const pieces = isQuoted || isWhole || field.text === HOLE ? [field.text] : split(field.text, scope)
    let isFirst = true
    for (const piece of pieces) {
      if (isFirst) isFirst = false
      else {
        done.push(now)
        now = start()
      }
      now.text += piece
      now.isNumber = field.isNumber === true && parts.length === 1
      now.hasWord ||= isQuoted || piece !== ''
      // A name of a file may hold blanks: where a variable is not quoted, that makes two words of it.
      if (!field.isExact || (field.isGlob && !isQuoted && !isWhole)) now.isExact = false
      if (!field.isExact && !field.isNumber && !isQuoted && !isWhole) now.isOpen = true
      // Wildcards in the value of a variable count where it is not quoted; those of a loop's word in any case.
      if (field.isGlob || (!isQuoted && /[*?[]/.test(field.text))) now.isGlob = true
      if (field.variable !== undefined) now.variable = field.variable
      if (field.source !== undefined) now.source = field.source
    }
  }
  const visit = (part: WordPart, isQuoted: boolean, at: number): void => {
    switch (part.type) {
      case 'Literal':
        if (at === 0 && !isQuoted && part.text.charCodeAt(0) === 126) add(expandTilde(part.value, scope, visitor), true)
        else add(exact(part.value), true)
        return
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        add(exact(part.value), true)
        return
      case 'Glob':
        now.isGlob = true
        add(exact(part.text), true)
        if (part.parts) visitAll(part.parts, scope, visitor)
        return
      case 'ExtendedGlob':
        // Off unless it is switched on, and then it may also lead upwards.
        now.isGlob = true
        now.isExact = false
        add(exact('*'), true)
        if (part.parts) visitAll(part.parts, scope, visitor)
        return
      case 'DoubleQuoted':
      case 'LocaleString':
        now.hasWord = true
        for (const child of part.parts) visit(child, true, -1)
        return
      case 'SimpleExpansion':
        addExpansion(expandVariable(part.text.slice(1), scope, visitor), isQuoted)
        return
      case 'ParameterExpansion':
        addExpansion(expandParameter(part, scope, visitor), isQuoted)
        return
      case 'CommandExpansion': {
        const { text, source } = visitor.substitute(part.script, scope)
        add(unknown({ ...(text !== undefined && { text }), source: source ?? 'command' }), isQuoted)
        return
      }
      case 'ArithmeticExpansion':
        if (part.expression) visitArithmetic(part.expression, scope, visitor)
        add(unknown({ isNumber: true }), true)
        return
      case 'ProcessSubstitution': {
        const { source } = visitor.substitute(part.script, scope)
        // A path that nobody can know before, and that leads to what was just judged.
        const isRead = part.operator === '<'
        add({ ...exact('/dev/fd/63'), isExact: isRead, source: source ?? 'command' }, true)
        return
      }
      case 'BraceExpansion':
        // In a place where bash does not expand braces they are text, but for what is substituted in them.
        visitInside(part, scope, visitor)
        add({ ...exact(part.text), isExact: !/[$`<>]/.test(part.text) }, true)
        return
      default:
        part satisfies never
        visitor.doubt('construct', 'a part of a word')
    }
  }
  const addExpansion = (expansion: Expansion, isQuoted: boolean) => {
    for (const [at, field] of expansion.entries()) {
      if (at > 0 && !isWhole) {
        done.push(now)
        now = start()
      }
      now.isComputed = true
      add(field, isQuoted)
    }
  }
  let at = 0
  for (const part of parts) visit(part, false, at++)
  done.push(now)
  return isWhole ? done : done.filter(({ hasWord }) => hasWord)
}

function start(): Building {
  return { text: '', isExact: true, isGlob: false, isNumber: false, hasWord: false, isComputed: false, isOpen: false }
}

function joinFields(fields: readonly Field[]): Field {
  const [first = exact(''), ...rest] = fields
  let whole = first
  for (const field of rest) {
    whole = {
      ...field,
      text: `${whole.text} ${field.text}`,
      isExact: whole.isExact && field.isExact,
      isGlob: whole.isGlob || field.isGlob,
      ...(whole.variable !== undefined && { variable: whole.variable }),
      ...(whole.source !== undefined && { source: whole.source }),
    }
  }
  return whole
}

function split(text: string, { variables }: Scope): string[] {
  const separators = variables.get('IFS')?.text ?? ' \t\n'
  const pieces = ['']
  for (const sign of text) {
    if (separators.includes(sign)) pieces.push('')
    else pieces[pieces.length - 1] += sign
  }
  return pieces
}

function expandTilde(text: string, scope: Scope, { home }: Visitor): Field {
  const [, name = ''] = /^~([^/]*)/.exec(text) ?? []
  const rest = text.slice(name.length + 1)
  if (name === '') return exact(home + rest)
  if (name === '+' && scope.cwd !== undefined) return exact(scope.cwd + rest)
  if (/^[a-z_][\w-]*$/.test(name)) return exact(`${name === 'root' ? '/root' : `/home/${name}`}${rest}`)
  return { ...exact(home + rest), isExact: false }
}

// Where words cannot be told any more, what they run still counts.
function visitAll(parts: readonly WordPart[], scope: Scope, visitor: Visitor): void {
  for (const part of parts) visitInside(part, scope, visitor)
}

function visitInside(node: SyntaxNode, scope: Scope, visitor: Visitor): void {
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') visitor.substitute(node.script, scope)
  else if (node.type === 'ParameterExpansion') expandParameter(node, scope, visitor)
  else if (node.type === 'ArithmeticExpansion') {
    if (node.expression) visitArithmetic(node.expression, scope, visitor)
  } else forEachChild(node, (child) => visitInside(child, scope, visitor))
}
