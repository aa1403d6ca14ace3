import type { ParameterExpansionPart, Word } from 'unbash'
import { exact, type Field, type Scope, unknown } from './scope.ts'
import type { Visitor } from './visitor.ts'

/** What an expansion gives: usually one field, `$@` any number. */
export type Expansion = readonly Field[]

const NUMBERS = new Set(['?', '#', '$', '!', 'RANDOM', 'SECONDS', 'LINENO', 'UID', 'EUID', 'PPID', 'COLUMNS', 'LINES'])
// They tell nothing that a person would keep to themselves.
const PUBLIC = new Set([
  ...['-', '0', '_', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TERM', 'TZ', 'HOSTNAME', 'HOSTTYPE'],
  ...['OSTYPE', 'MACHTYPE', 'BASH_VERSION', 'BASH', 'SHLVL', 'CI', 'NODE_ENV', 'EDITOR', 'PAGER', 'TMPDIR', 'OLDPWD'],
  ...['IFS', 'NO_COLOR', 'FORCE_COLOR', 'PIPESTATUS', 'FUNCNAME', 'VIRTUAL_ENV', 'GOPATH', 'JAVA_HOME', 'NVM_DIR'],
])

/** `$name`. */
export function expandVariable(name: string, scope: Scope, visitor: Visitor): Expansion {
  if (NUMBERS.has(name)) return [unknown({ isNumber: true })]
  const known = scope.variables.get(name)
  if (known) return [known]
  if (name === '@' || name === '*') return scope.positional ?? [unknown()]
  if (/^\d$/.test(name) && name !== '0') {
    return [scope.positional ? (scope.positional[Number(name) - 1] ?? exact('')) : unknown()]
  }
  if (name === 'HOME') return [exact(visitor.home)]
  if (name === 'PWD' && scope.cwd !== undefined) return [exact(scope.cwd)]
  if (name === 'IFS') return [{ ...exact(' '), isExact: false }]
  if (/^LC_[A-Z]+$/.test(name) || PUBLIC.has(name)) return [unknown()]
  return [unknown({ variable: name })]
}

/** `${…}` with all that may stand in it. What could run code by its value is a doubt. */
export function expandParameter(part: ParameterExpansionPart, scope: Scope, visitor: Visitor): Expansion {
  const { parameter, prefix, index, operation } = part
  if (index) visitIndex(index, scope, visitor)
  if (prefix === '!' && operation?.type !== 'Names') visitor.doubt('dynamic', `\${!${parameter}}`)
  const [value = exact(''), ...more] = expandVariable(parameter, scope, visitor)
  if (prefix === '#') return [unknown({ isNumber: true })]
  if (prefix === '!') return [unknown(value.variable === undefined ? {} : { variable: value.variable })]
  if (index) return [{ ...unknown(), ...(value.variable !== undefined && { variable: value.variable }) }]
  switch (operation?.type) {
    case undefined:
      return [value, ...more]
    case 'Default': {
      const other = visitor.whole(operation.operand, scope)
      if (operation.operator.endsWith('=')) visitor.doubt('variable', parameter)
      // An unset variable is what defaults are for; `+` gives its word only where there is a value.
      if (operation.operator.endsWith('?')) return [value]
      const isSet = value.text !== '' && value.isExact
      if (operation.operator.endsWith('+')) return [isSet ? other : { ...other, isExact: false }]
      const shows = value.variable === undefined ? {} : { variable: value.variable }
      return [isSet ? value : { ...other, isExact: false, ...shows }]
    }
    case 'Remove':
      visitor.whole(operation.operand, scope)
      return [guess(value)]
    case 'Replace':
      visitor.whole(operation.pattern, scope)
      visitor.whole(operation.replacement, scope)
      return [guess(value)]
    case 'Slice':
      visitIndex(operation.offset, scope, visitor)
      if (operation.length) visitIndex(operation.length, scope, visitor)
      return [guess(value)]
    case 'CaseModification':
      if (operation.operand) visitor.whole(operation.operand, scope)
      return [changeCase(value, operation.operator)]
    case 'Names':
      return [unknown()]
    case 'Transform':
      // `@P` expands a prompt, which runs what is written in it.
      visitor.whole(operation.operand, scope)
      visitor.doubt('dynamic', part.text)
      return [guess(value)]
    case 'Unknown':
      visitor.doubt('construct', part.text)
      return [unknown()]
    default:
      operation satisfies never
      return [unknown()]
  }
}

// Bash reads it as arithmetic, and arithmetic runs what stands in a subscript, also by the value of a variable.
function visitIndex(word: Word, scope: Scope, visitor: Visitor): void {
  const field = visitor.whole(word, scope)
  if (/^[ \d@*-]*$/.test(field.text) && field.isExact) return
  if (!field.isNumber) visitor.doubt('dynamic', `[${word.text}]`)
}

function guess(value: Field): Field {
  return unknown(value.variable === undefined ? {} : { variable: value.variable })
}

function changeCase(value: Field, operator: string): Field {
  if (operator.length === 1) return guess(value)
  const text = operator === ',,' ? value.text.toLowerCase() : value.text.toUpperCase()
  return { ...value, text, isExact: false }
}
