import type {
  AndOr,
  CaseItem,
  Command,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  PipelineNode,
  Statement,
  Word,
} from 'unbash'
import { visitArithmetic } from './arithmetic.ts'
import { type Context, deeper, grow } from './context.ts'
import { addDoubt } from './findings.ts'
import { foldCommand } from './fold-output.ts'
import { judgeRedirections } from './redirections.ts'
import { exact, type Field, fork, type Input, merge, type Scope, unknown } from './scope.ts'
import { judgeSimple } from './simple.ts'
import { visitTest } from './test-expressions.ts'
import { assign } from './variables.ts'

const NOTHING: Input = { kind: 'none' }
const MAX_ROUNDS = 16
const MAX_COMMANDS = 400

/** Judges statements one after the other; what each leaves behind (directory, variables, functions) holds for the next. */
export function walkStatements(statements: readonly Statement[], scope: Scope, context: Context) {
  for (const { command, background } of statements) {
    if (++context.findings.commands > MAX_COMMANDS) return context.doubt('limit', 'long')
    if (background)
      grow(context, { node: 'background' }, () => forked(context, () => walk(command, fork(scope), context)))
    else walk(command, scope, context)
  }
}

function walk(node: PipelineNode | AndOr, scope: Scope, context: Context, input: Input = NOTHING) {
  switch (node.type) {
    case 'Command':
      judgeSimple(node, { scope, context, input })
      return
    case 'AndOr':
      grow(context, { node: node.operators.join(' ') || '&&' }, () => walkAndOr(node, scope, context))
      return
    case 'Pipeline':
      if (node.commands.length === 1 && node.commands[0]) return walk(node.commands[0], scope, context, input)
      grow(context, { node: '|' }, () => forked(context, () => walkPipeline(node.commands, scope, context)))
      return
    case 'Redirected': {
      const next = judgeRedirections(node.redirects, { program: 'bash', scope, context, input })
      walk(node.command, scope, context, next)
      return
    }
    default:
      deeper(context, () => grow(context, { node: LABELS[node.type] }, () => walkCompound(node, scope, context, input)))
  }
}

const LABELS: Record<Exclude<CommandNode['type'], 'Command' | 'Redirected'>, string> = {
  If: 'if',
  For: 'for',
  ArithmeticFor: 'for',
  Select: 'select',
  While: 'while',
  Subshell: '( )',
  BraceGroup: '{ }',
  Case: 'case',
  TestCommand: '[[ ]]',
  ArithmeticCommand: '(( ))',
  Function: 'function',
  Coproc: 'coproc',
}

type Compound = Exclude<CommandNode, { type: 'Command' | 'Redirected' }>

function walkCompound(node: Compound, scope: Scope, context: Context, input: Input): void {
  switch (node.type) {
    case 'Subshell':
      walkList(node.body, fork(scope), context)
      return
    case 'BraceGroup':
      walkList(node.body, scope, context)
      return
    case 'If':
      walkList(node.clause, scope, context)
      maybe(node.then, scope, context)
      for (const { clause, then } of node.elif) {
        maybe(clause, scope, context)
        maybe(then, scope, context)
      }
      if (node.else) maybe(node.else, scope, context)
      return
    case 'While':
      maybe(node.clause, scope, context)
      maybe(node.body, scope, context)
      return
    case 'For':
    case 'Select':
      walkFor(node.name, node.wordlist, node.body, { scope, context })
      return
    case 'ArithmeticFor': {
      if (node.initialize) visitArithmetic(node.initialize, scope, context)
      if (node.test) visitArithmetic(node.test, scope, context)
      maybe(node.body, scope, context)
      if (node.update) visitArithmetic(node.update, scope, context)
      return
    }
    case 'Case':
      context.whole(node.word, scope)
      for (const item of node.items) walkCase(item, scope, context)
      return
    case 'TestCommand':
      visitTest(node.expression, scope, context)
      return
    case 'ArithmeticCommand':
      if (node.expression) visitArithmetic(node.expression, scope, context)
      return
    case 'Function':
      define(node, scope, context)
      return
    case 'Coproc':
      addDoubt(context.findings, { code: 'hidden', program: 'bash', what: 'coproc' }, 'hostile')
      forked(context, () => {
        const inside = fork(scope)
        if (node.body.type === 'CompoundList') walkList(node.body, inside, context)
        else walk(node.body, inside, context, { ...input, kind: 'pipe' })
      })
      return
    default:
      node satisfies never
      context.doubt('construct', 'the line')
  }
}

function walkList({ commands }: CompoundList, scope: Scope, context: Context): void {
  walkStatements(commands, scope, context)
}

// What may run or not, or more than once: whatever it changes is uncertain afterwards.
function maybe(list: CompoundList, scope: Scope, context: Context): void {
  const inside = fork(scope, { isStraight: false })
  walkList(list, inside, context)
  merge(scope, inside)
}

function walkAndOr({ commands, operators }: AndOr, scope: Scope, context: Context): void {
  const { cwd, elsewhere, isStraight } = scope
  for (const [at, command] of commands.entries()) {
    if (at > 0) scope.isStraight = false
    // Behind `cd … &&` the directory is the new one for sure.
    if (operators[at - 1] === '&&' && isCd(commands[at - 1])) scope.elsewhere = elsewhere
    walk(command, scope, context)
  }
  scope.isStraight = isStraight
  if (scope.cwd !== cwd && cwd !== undefined) scope.elsewhere = [...elsewhere, cwd]
}

function isCd(node: PipelineNode | undefined): boolean {
  return node?.type === 'Command' && node.name?.value === 'cd'
}

function walkPipeline(commands: readonly CommandNode[], scope: Scope, context: Context): void {
  const { findings } = context
  let input = NOTHING
  const before = { reached: findings.reached, decoded: findings.decoded }
  for (const [at, command] of commands.entries()) {
    const inside = fork(scope)
    const next = commands[at + 1]
    if (command.type === 'Command') {
      judgeSimple(command, { scope: inside, context, input, output: nameOf(next) })
    } else walk(command, inside, context, input)
    const text = at === 0 && command.type === 'Command' ? foldCommand(command, scope, context) : undefined
    const isReached = findings.reached > before.reached
    const source = isReached ? 'network' : findings.decoded > before.decoded ? 'decoder' : 'command'
    input = {
      kind: 'pipe',
      source,
      ...(text !== undefined && { text }),
      ...(command.type === 'Command' && { from: nameOf(command) ?? '', fromWords: wordsOf(command) }),
    }
  }
}

function nameOf(node: CommandNode | undefined): string | undefined {
  return node?.type === 'Command' ? node.name?.value.replace(/^.*\//, '') : undefined
}

function wordsOf({ suffix }: Command): string[] {
  return suffix.flatMap((word) => (word.type === 'Word' ? [word.value] : []))
}

function walkFor(
  name: Word,
  words: readonly Word[] | undefined,
  body: CompoundList,
  { scope, context }: { scope: Scope; context: Context },
) {
  const fields = words ? words.flatMap((word) => context.fields(word, scope)) : (scope.positional ?? [unknown()])
  const rounds: Field[] = fields.slice(0, MAX_ROUNDS)
  if (fields.length > MAX_ROUNDS) rounds.push(unknown())
  for (const field of rounds.length > 0 ? rounds : [exact('')]) {
    const inside = fork(scope, { isStraight: false })
    assign(name.value, field, { scope: inside, context })
    // A name that the loop binds is certain in each of its rounds.
    inside.variables.set(name.value, field)
    walkList(body, inside, context)
    merge(scope, inside)
  }
}

function walkCase({ pattern, body }: CaseItem, scope: Scope, context: Context): void {
  for (const word of pattern) context.whole(word, scope)
  maybe(body, scope, context)
}

// The body is judged where it stands, for arguments nobody knows, and again at each call with those that are given.
function define(node: FunctionNode, scope: Scope, context: Context): void {
  const name = node.name.value
  walkBody(node, fork(scope, { isStraight: false, positional: undefined }), context)
  scope.functions.set(name, node)
  if (!scope.isStraight) scope.functions.set(`?${name}`, node)
}

/** Judges the body of a function with the arguments in the scope. */
export function walkBody(node: FunctionNode, scope: Scope, context: Context): void {
  context.calling.push(node.name.value)
  deeper(context, () => {
    if (node.body.type === 'CompoundList') walkList(node.body, scope, context)
    else walk(node.body, scope, context)
  })
  context.calling.pop()
}

function forked(context: Context, inside: () => void): void {
  const before = context.isForked
  context.isForked = true
  inside()
  context.isForked = before
}
