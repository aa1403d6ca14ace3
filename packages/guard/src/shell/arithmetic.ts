import type { ArithmeticExpression } from 'unbash'
import { type Scope, unknown } from './scope.ts'
import type { Visitor } from './visitor.ts'

const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/

/**
 * Judges arithmetic: what is substituted in it, and names whose value could run code. Bash evaluates the value of a name
 * as arithmetic again, and a subscript in there is expanded, commands and all.
 */
export function visitArithmetic(expression: ArithmeticExpression, scope: Scope, visitor: Visitor): void {
  switch (expression.type) {
    case 'ArithmeticBinary':
      visitArithmetic(expression.right, scope, visitor)
      if (ASSIGNS.test(expression.operator) && expression.operator === '=') assign(expression.left, scope, visitor)
      else visitArithmetic(expression.left, scope, visitor)
      return
    case 'ArithmeticUnary':
      visitArithmetic(expression.operand, scope, visitor)
      return
    case 'ArithmeticTernary':
      visitArithmetic(expression.test, scope, visitor)
      visitArithmetic(expression.consequent, scope, visitor)
      visitArithmetic(expression.alternate, scope, visitor)
      return
    case 'ArithmeticGroup':
      visitArithmetic(expression.expression, scope, visitor)
      return
    case 'ArithmeticCommandExpansion':
      visitor.substitute(expression.script, scope)
      visitor.doubt('dynamic', expression.text)
      return
    case 'ArithmeticWord':
      visitName(expression, scope, visitor)
      return
    default:
      expression satisfies never
      visitor.doubt('construct', 'arithmetic')
  }
}

type ArithmeticWord = Extract<ArithmeticExpression, { type: 'ArithmeticWord' }>

function visitName({ value, parts }: ArithmeticWord, scope: Scope, visitor: Visitor): void {
  const field = parts && visitor.quoted(parts, scope)
  const text = (field?.text ?? value).trim()
  if (/^(?:0[xX][\da-fA-F]+|\d+(?:#\w+)?|)$/.test(text) || field?.isNumber) return
  const isNumber = /^[a-zA-Z_]\w*$/.test(text) && isNumeric(text, scope)
  if (!isNumber) visitor.doubt('dynamic', `(( ${value} ))`)
}

function isNumeric(name: string, { variables }: Scope): boolean {
  const field = variables.get(name)
  return field !== undefined && (field.isNumber === true || (field.isExact && /^-?\d+$/.test(field.text)))
}

function assign(target: ArithmeticExpression, scope: Scope, visitor: Visitor): void {
  if (target.type === 'ArithmeticWord' && target.parts === undefined && /^[a-z_][a-z\d_]*$/.test(target.value.trim())) {
    scope.variables.set(target.value.trim(), unknown({ isNumber: true }))
  } else visitArithmetic(target, scope, visitor)
}
