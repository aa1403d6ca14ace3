import { parse } from 'unbash'
import type { Call } from './call.ts'
import { shown } from './check-path.ts'
import { type Around, type Context, deeper } from './context.ts'
import { addAccess, note as addNote, addRun, type Branch, type Note } from './findings.ts'
import { checkLooks } from './options.ts'
import { spotOf } from './place.ts'
import { findProgram } from './programs/index.ts'
import { judgeLocalTool } from './programs/local-tools.ts'
import { type Field, fork, HOLE, merge } from './scope.ts'
import { globToRegExp } from './sensitive.ts'

// A file below these is what its name says.
const SYSTEM = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$|^\/opt\/homebrew\/bin\/([^/]+)$/
const LINKED = /^\/(?:proc\/(?:self|\d+)\/root|lib(?:32|64)?)\/(?:.*\/)?([^/]+)$/
// What a name with wildcards could hide.
const GRAVE = ['rm', 'sh', 'bash', 'dd', 'curl', 'wget', 'nc', 'sudo', 'python3', 'perl', 'node', 'mv', 'chmod', 'cat']
// They print or compare their words, whatever these are.
const TAKES_ANYTHING = new Set(['echo', 'printf', 'test', '[', ':', 'true', 'false', 'exit', 'return'])

/** Judges the words of one command, as a function of the line or as a program. */
export function judgeWords(words: readonly Field[], around: Around, context: Context): void {
  const [head, ...args] = words
  if (head === undefined || (around.isDirect && callFunction(head, args, around, context))) return
  deeper(context, () => judgeProgram(head, args, around, context))
}

function judgeProgram(head: Field, args: readonly Field[], around: Around, context: Context): void {
  const name = nameOf(head)
  const result: Note = { proven: 'read-only', why: undefined }
  const outer = context.branch
  const children: typeof outer = []
  context.branch = children
  judgeHead(callOf(name, args, { around, context, result }), head)
  context.branch = outer
  const program = shown(head)
  const argv = args.map(shown)
  addRun(context.findings, program, argv, result)
  const node: Branch = { run: program, argv, proven: result.proven }
  if (result.why) node['why'] = result.why.code
  if (children.length > 0) node['children'] = children
  outer.push(node)
}

interface Making {
  readonly around: Around
  readonly context: Context
  readonly result: Note
}

function callOf(name: string, args: readonly Field[], { around, context, result }: Making): Call {
  const { findings, place, home } = context
  const { scope, input, output } = around
  const note: Call['note'] = (proven, code, what = '') => addNote(result, proven, { code, program: name, what })
  return {
    name,
    args,
    scope,
    place,
    findings,
    context,
    home,
    input,
    output,
    note,
    run: (words, changes = {}) => context.words(words, { scope, input, output, ...changes }),
    script: (text, inside = fork(scope)) => deeper(context, () => context.script(parse(text), inside)),
    probe(text) {
      const grave = context.probe(text)
      if (grave) addNote(result, grave.proven, grave.why)
    },
    reach(host, what = host) {
      findings.reached++
      const isLiteral = /^[\w.:[\]-]+$/.test(host)
      addAccess(findings, { kind: 'net', host: isLiteral ? host : '*' })
      note('unknown', 'network', what.replaceAll(HOLE, '…'))
    },
    privilege(what) {
      addAccess(findings, { kind: 'privilege' })
      note('hostile', 'privilege', what)
    },
  }
}

function judgeHead(call: Call, head: Field) {
  const { name, args } = call
  if (!head.isExact || head.isGlob || head.isComputed) call.note('unknown', 'dynamic', shown(head))
  if (head.text.startsWith('/proc/')) call.note('hostile', 'hidden', head.text)
  if (!TAKES_ANYTHING.has(name)) {
    for (const arg of args) if (!arg.isExact) call.note('unknown', 'dynamic', shown(arg))
  }
  checkCwd(call)
  // What the parser takes for the name stands in front of it where a variable is set to a process substitution.
  if (head.text === '/dev/fd/63') call.run(args)
  const isPath = name.includes('/')
  const judge = isPath ? undefined : findProgram(name)
  if (judge) return judge(call)
  if (isPath && head.isExact && !head.isGlob && judgeLocalTool(call)) return
  call.note('unknown', isPath ? 'runs-code' : 'unknown-program', isPath ? shown(head) : '')
  if (/\s/.test(head.text)) call.probe(head.text)
  for (const arg of args) {
    checkLooks(call, arg)
    if (/\s/.test(arg.text)) call.probe(arg.text)
  }
  if (args.length > 1) probeCarried(call)
}

// What nobody knows may run the words behind its own: a line that could destroy everything is refused from wherever it
// begins. Nothing less: words are words.
function probeCarried({ args, context, note }: Call): void {
  const at = args.findIndex(({ text }) =>
    /^(?:\/\w+)*\/?(?:rm|dd|shred|mkfs(?:\.\w+)?|chmod|chown|find|sudo|(?:ba|da|z|k)?sh)$/.test(text),
  )
  if (at < 0) return
  const grave = context.probe(
    args
      .slice(at)
      .map(({ text }) => quoted(text))
      .join(' '),
  )
  if (grave?.proven === 'catastrophe') note(grave.proven, grave.why.code, grave.why.what)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

// They do not care where they are.
const ANYWHERE = new Set([
  ...TAKES_ANYTHING,
  'cd',
  'pushd',
  'popd',
  'pwd',
  'set',
  'type',
  'command',
  'which',
  'date',
  'sleep',
])

// Many programs read where they are without being told.
function checkCwd(call: Call) {
  const { scope, place, findings } = call
  if (scope.cwd === place.cwd && scope.elsewhere.length === 0) return
  if (ANYWHERE.has(call.name)) return
  if (scope.cwd === undefined) return call.note('unknown', 'dynamic', 'the directory')
  for (const cwd of [scope.cwd, ...scope.elsewhere]) {
    const spot = spotOf(cwd, place)
    if (spot === 'inside' || spot === 'extra-root') continue
    call.note('unknown', 'outside', cwd)
    if (cwd === scope.cwd && spot === 'outside') addAccess(findings, { kind: 'read', path: cwd, where: 'outside' })
  }
}

function nameOf({ text, isGlob }: Field): string {
  if (isGlob) {
    const pattern = globToRegExp(text.replace(/^.*\//, ''))
    return GRAVE.find((name) => pattern?.test(name)) ?? text
  }
  const [, system, brew] = SYSTEM.exec(text) ?? []
  return system ?? brew ?? LINKED.exec(text)?.[1] ?? text
}

// A function's body was judged where it stands; here it is judged again for what it is given.
function callFunction(head: Field, args: readonly Field[], { scope }: Around, context: Context): boolean {
  const { text } = head
  if (context.calling.includes(text)) {
    const why = context.isForked
      ? ({ code: 'catastrophe', program: text, what: 'the machine: it starts itself without end' } as const)
      : ({ code: 'dynamic', program: text, what: text } as const)
    addRun(context.findings, text, [], { proven: context.isForked ? 'catastrophe' : 'unknown', why })
    return true
  }
  const body = scope.functions.get(text)
  if (!body || text.includes(HOLE)) return false
  const inside = fork(scope, { positional: args, isStraight: false })
  context.body(body, inside)
  merge(scope, inside)
  // One that may not be defined, or that hides a program, is judged as that program as well.
  return !scope.functions.has(`?${text}`) && findProgram(text) === undefined
}
