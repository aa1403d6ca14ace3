import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { inspectCode } from '../inspect-code.ts'
import { parseOptions, readSpec } from '../options.ts'
import type { Field } from '../scope.ts'
import { checks, isCheckName, judgeModule } from './checks.ts'
import { fromElsewhere } from './shells.ts'

/** Languages: what they are given as code is asked about, and refused where it is clearly grave. */
export const interpreters: Record<string, Judge> = {
  python: python,
  python3: python,
  python2: python,
  pypy: python,
  pypy3: python,
  node: node,
  nodejs: node,
  bun: runtime,
  deno: runtime,
  tsx: interpreter(/^-[ep]$|^--(?:eval|print)$/),
  'ts-node': interpreter(/^-[ep]$|^--(?:eval|print)$/),
  perl: interpreter(/^-\w*[eE]$/, /^-\w*e(.+)$/s),
  ruby: interpreter(/^-\w*e$/, /^-e(.+)$/s),
  php: interpreter(/^-[rBRE]$|^--run$/, /^-r(.+)$/s),
  lua: interpreter(/^-e$/),
  luajit: interpreter(/^-e$/),
  Rscript: interpreter(/^-e$/),
  julia: interpreter(/^-[eE]$|^--eval$/),
  elixir: interpreter(/^-e$|^--eval$/),
  erl: interpreter(/^-eval$/),
  ghci: interpreter(/^-e$/),
  ghc: interpreter(/^-e$/),
  groovy: interpreter(/^-e$/),
  scala: interpreter(/^-e$/),
  clojure: interpreter(/^-e$/),
  tclsh: interpreter(/^-c$/),
  guile: interpreter(/^-c$/),
  java: interpreter(/^$/),
  jshell: interpreter(/^$/),
  irb: interpreter(/^-e$/),
  ipython: interpreter(/^-c$/),
  m4: interpreter(/^$/),
}

function interpreter(option: RegExp, glued?: RegExp): Judge {
  return (call) => {
    runsCode(call)
    const codes = call.args.filter(({ text }, at) => option.test(call.args[at - 1]?.text ?? '') || glued?.test(text))
    for (const code of codes) inline(call, code)
    const file = call.args.find(({ text }, at) => !text.startsWith('-') && !codes.includes(call.args[at] as Field))
    if (codes.length === 0) fromFileOrInput(call, file)
  }
}

function runsCode(call: Call): void {
  call.note('unknown', 'runs-code', call.args.map(shown).join(' ') || 'standard input')
}

function inline(call: Call, code: Field) {
  fromElsewhere(call, code)
  inspectCode(call, code.text)
}

function fromFileOrInput(call: Call, file: Field | undefined) {
  if (file && file.text !== '-') {
    fromElsewhere(call, file, 'network')
    if (file.source === undefined) checkPath(call, file, 'read')
    return
  }
  const { input } = call
  if (input.text !== undefined) inspectCode(call, input.text)
  else if (input.kind === 'pipe' || input.source !== undefined)
    call.note('hostile', 'remote-code', input.from ?? 'standard input')
}

const NODE_RUNS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file(?:-if-exists)?|--inspect\S*|--openssl-config|--icu-data-dir|--snapshot-blob|--build-snapshot|--test-reporter|--experimental-config-file)(?:=|$)/

function node(call: Call) {
  const { args } = call
  const [first, second] = args
  if (args.length === 2 && /^(?:--check|-c)$/.test(first?.text ?? '') && second && !second.text.startsWith('-'))
    return checkPath(call, second, 'read')
  if (args.length === 2 && first?.text === '--run' && isCheckName(second?.text ?? ''))
    return call.note('check', 'project-script', `node --run ${second?.text}`)
  for (const [at, { text }] of args.entries()) {
    if (!NODE_RUNS.test(text)) continue
    const value = text.includes('=') ? text.slice(text.indexOf('=') + 1) : (args[at + 1]?.text ?? '')
    if (text.startsWith('--test-reporter') && /^(?:spec|tap|dot|junit|lcov)$/.test(value)) continue
    if (text.startsWith('--env-file')) checkPath(call, { text: value, isExact: true, isGlob: false }, 'read')
    else if (/^(?:-r|--require|--import|--loader|--experimental-loader)/.test(text))
      // A package is what the project depends on; a file may be anybody's.
      call.note(isPackage(value) ? 'unknown' : 'hostile', 'runs-program', `node ${text}`)
    else call.note('unknown', 'option', text)
  }
  if (args.some(({ text }) => text === '--test')) return checks['node --test']?.(call)
  runsCode(call)
  const code = args.findIndex(({ text }) => /^(?:-\w*[ep]|--eval|--print)$/.test(text))
  const glued = args.find(({ text }) => /^--(?:eval|print)=/.test(text))
  if (code >= 0 || glued) inline(call, glued ?? args[code + 1] ?? (args[code] as Field))
  else
    fromFileOrInput(
      call,
      args.find(({ text }) => !text.startsWith('-')),
    )
}

function isPackage(name: string): boolean {
  return /^(?:@[\w-]+\/)?[a-z][\w-]*(?:\/[\w-]+)*$/.test(name)
}

function python(call: Call) {
  const { args } = call
  const module = args.findIndex(({ text }) => /^-[bBdEiIOsSuvx]*m$/.test(text))
  const code = args.findIndex(({ text }) => /^-[bBdEiIOsSuvx]*c$/.test(text))
  const script = args.findIndex(({ text }) => !text.startsWith('-'))
  if (code >= 0 && (module < 0 || code < module)) {
    runsCode(call)
    return inline(call, args[code + 1] as Field)
  }
  const isFirst = script < 0 || module < script
  const name = args[module + 1]
  if (module >= 0 && isFirst && name) {
    // `-i` goes on with what stands on standard input.
    if (args.slice(0, module + 1).some(({ text }) => !/^-[bBEsSuI]*m?$/.test(text)))
      call.note('unknown', 'option', shown(args[0] as Field))
    return pythonModule({ ...call, args: args.slice(module + 2) }, name)
  }
  runsCode(call)
  fromFileOrInput(call, args[script])
}

const JSON_TOOL = readSpec('-h --sort-keys --no-ensure-ascii --json-lines --indent: --tab --no-indent --compact')

function pythonModule(call: Call, { text, isExact }: Field) {
  if (text === 'json.tool' && isExact) {
    const { operands } = parseOptions(call, JSON_TOOL)
    const [from, to] = operands
    if (from && from.text !== '-') checkPath(call, from, 'read')
    if (!to) return
    call.note('effects', 'writes', shown(to))
    return checkPath(call, to, 'write')
  }
  if (isExact && judgeModule(call, text)) return
  call.note('unknown', 'runs-code', `-m ${text}`)
  if (text === 'http.server') call.reach('*', 'everybody: a server')
  if (text === 'pip' || text === 'ensurepip') call.run([{ text: 'pip', isExact: true, isGlob: false }, ...call.args])
}

// bun and deno are package manager, test runner and interpreter in one.
function runtime(call: Call): void {
  const judge = checks[call.name]
  if (judge) judge(call)
  else runsCode(call)
  const code = call.args.findIndex(({ text }) => /^(?:-[ep]|eval|--eval|--print)$/.test(text))
  if (code >= 0 && call.args[code + 1]) inline(call, call.args[code + 1] as Field)
  if (call.args.length === 0 || call.args[0]?.text === '-' || call.args[1]?.text === '-')
    fromFileOrInput(call, undefined)
  for (const { text } of call.args) if (/^https?:/.test(text)) call.note('hostile', 'remote-code', text)
}
