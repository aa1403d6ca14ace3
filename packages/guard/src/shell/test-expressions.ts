import type { TestExpression } from 'unbash'
import type { Context } from './context.ts'
import { resolvePath, spotOf } from './place.ts'
import type { Field, Scope } from './scope.ts'

const LOOKS = /^-[abcdefghkprsuwxGLNOS]$/
const NUMERIC = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** Judges `[[ … ]]`: it only looks, unless one of its words is read as arithmetic or as the name of a variable. */
export function visitTest(expression: TestExpression, scope: Scope, context: Context): void {
  switch (expression.type) {
    case 'TestLogical':
      for (const operand of expression.operands) visitTest(operand, scope, context)
      return
    case 'TestNot':
      visitTest(expression.operand, scope, context)
      return
    case 'TestGroup':
      visitTest(expression.expression, scope, context)
      return
    case 'TestUnary': {
      const field = context.whole(expression.operand, scope)
      if (expression.operator === '-v' || expression.operator === '-R') checkName(field, context)
      else if (LOOKS.test(expression.operator)) checkPlace(field, scope, context)
      return
    }
    case 'TestBinary': {
      const sides = [expression.left, expression.right].map((word) => context.whole(word, scope))
      if (!NUMERIC.has(expression.operator)) return
      for (const side of sides) {
        const isNumber = side.isNumber || (side.isExact && /^[-+]?\d+$/.test(side.text))
        if (!isNumber) context.doubt('dynamic', `[[ ${side.text} ${expression.operator} … ]]`)
      }
      return
    }
    default:
      expression satisfies never
      context.doubt('construct', '[[ ]]')
  }
}

// As with `test`: whether something is there is nobody's business outside.
function checkPlace({ text, isExact, source }: Field, { cwd }: Scope, context: Context): void {
  if (!isExact || source !== undefined || text === '') return
  const path = resolvePath(cwd ?? '/', text, context.place)
  const spot = spotOf(path, context.place)
  if (spot !== 'inside' && spot !== 'extra-root' && spot !== 'void') context.doubt('outside', path)
}

function checkName({ text, isExact }: Field, context: Context): void {
  if (!isExact || !/^[A-Za-z_]\w*$/.test(text)) context.doubt('dynamic', `-v ${text}`)
}
