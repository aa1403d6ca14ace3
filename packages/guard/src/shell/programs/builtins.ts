import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { byTable, parseOptions, readSpec } from '../options.ts'
import { resolvePath, spotOf } from '../place.ts'
import { type Field, HOLE, unknown } from '../scope.ts'
import { assign, judgeVariable } from '../variables.ts'

/** What is built into bash, apart from what runs other commands. */
export const builtins: Record<string, Judge> = {
  echo: printsWords,
  printf(call) {
    const [first] = call.args
    const isFormat = first?.isExact && (first.text === '--' || !first.text.startsWith('-'))
    if (first && !isFormat) call.note('unknown', 'option', shown(first))
    printsWords(call)
  },
  test: tests,
  '[': tests,
  cd: changeDirectory,
  pushd: changeDirectory,
  popd(call) {
    call.note('unknown', 'dynamic', 'popd')
    call.scope.cwd = undefined
  },
  dirs: byTable('-clpv', { operands: 'none' }),
  type: byTable('-aftpP', { operands: 'text' }),
  help: byTable('-dms', { operands: 'text' }),
  exit: exits,
  return: exits,
  break: exits,
  continue: exits,
  shift: exits,
  wait: byTable('-fn', { operands: 'text' }),
  jobs: byTable('-lnprs', { operands: 'none' }),
  times: byTable('-', { operands: 'none' }),
  umask: byTable('-pS', { operands: 'none' }),
  ulimit: byTable('-aHScdefilmnpqrstuvx', { operands: 'none' }),
  read: reads,
  mapfile: readsLines,
  readarray: readsLines,
  export: declares,
  declare: declares,
  typeset: declares,
  local: declares,
  readonly: declares,
  unset: (call) => call.note('unknown', 'variable', words(call)),
  let: (call) => call.note('unknown', 'dynamic', words(call)),
  getopts: (call) => call.note('unknown', 'dynamic', words(call)),
  set: sets,
  shopt(call) {
    if (call.args.some(({ text }) => /^-\w*[su]/.test(text))) call.note('unknown', 'option', words(call))
  },
  trap(call) {
    const [code, ...signals] = call.args.filter(({ text }) => text !== '--')
    if (code === undefined || /^-[lp]$/.test(code.text)) return
    // At the end of the line it is seen; before each command it is not.
    const isLast = signals.length > 0 && signals.every(({ text }) => LAST.test(text))
    call.note(isLast ? 'unknown' : 'hostile', 'hidden', `trap ${shown(code)}`)
    call.probe(code.text)
    if (code.text !== '-') call.script(code.text)
  },
  alias: renames,
  unalias: (call) => call.note('unknown', 'dynamic', words(call)),
  hash(call) {
    if (call.args.some(({ text }) => /^-\w*p/.test(text))) call.note('hostile', 'hidden', `hash ${words(call)}`)
    else if (call.args.length > 0) call.note('unknown', 'dynamic', words(call))
  },
  enable(call) {
    if (call.args.some(({ text }) => /^-\w*f/.test(text))) call.note('hostile', 'runs-program', `enable ${words(call)}`)
    else call.note('unknown', 'option', words(call))
  },
  complete: completes,
  compgen: completes,
  compopt: completes,
  bind: (call) => call.note('hostile', 'hidden', `bind ${words(call)}`),
  history: (call) =>
    call.note(call.args.length > 0 ? 'irreversible' : 'unknown', 'destroys', 'the history of the shell'),
  fc: (call) => call.note('hostile', 'hidden', 'fc'),
  disown: (call) => call.note('unknown', 'process', 'disown'),
  bg: (call) => call.note('unknown', 'process', 'bg'),
  fg: (call) => call.note('unknown', 'process', 'fg'),
  suspend: (call) => call.note('unknown', 'process', 'suspend'),
}

const LAST = /^(?:0|(?:SIG)?(?:EXIT|INT|TERM|HUP|QUIT|PIPE))$/

// What people and agents type: an alias of that name is run in its place.
const PROGRAMS =
  /^(?:ls|cd|cat|cp|mv|rm|ln|echo|printf|pwd|test|head|tail|less|more|grep|rg|find|fd|sed|awk|sort|uniq|wc|diff|tree|file|stat|which|type|command|env|sudo|su|git|gh|ssh|scp|curl|wget|node|npm|npx|pnpm|yarn|bun|deno|tsc|eslint|vitest|jest|prettier|python\d?|pip\d?|pytest|ruff|uv|go|cargo|rustc|make|cmake|mvn|gradle|java|javac|ruby|bundle|php|perl|docker|kubectl|vim?|nano|code|bash|sh|zsh|kill|ps|jq|tar|zip|unzip|dd|chmod|chown|touch|mkdir|exit|source|eval|exec|export|set|true|false)$/

// Another name for something is asked about; one that hides a program, or does worse, is refused.
function renames(call: Call): void {
  for (const { text } of call.args) {
    const [, name, code] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || code === undefined) continue
    const isMore = code === name || code.startsWith(`${name} `)
    call.note(isMore || !PROGRAMS.test(name) ? 'unknown' : 'hostile', 'hidden', `alias ${text}`)
    call.probe(code)
  }
}

function words({ args }: Call): string {
  return args.map(shown).join(' ')
}

function exits({ args, note }: Call): void {
  for (const arg of args) if (!arg.isNumber && !/^\d*$/.test(arg.text)) note('unknown', 'dynamic', shown(arg))
}

function printsWords(call: Call): void {
  for (const { variable } of call.args) if (variable !== undefined) call.note('unknown', 'environment', variable)
  for (const arg of call.args) {
    // `echo .env*` and `echo ~/.ssh/*` list names; they look, no more.
    if (arg.isGlob && arg.isExact && /[*?[]/.test(arg.text) && arg.text.includes('/')) checkPath(call, arg, 'look')
  }
}

const LOOKS = /^-[abcdefghkprstuwxGLNOS]$/
const COMPARES = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

// Only forms in which what is known only later cannot become an operator.
function tests(call: Call) {
  const args = call.name === '[' ? call.args.slice(0, -1) : [...call.args]
  if (args[0]?.isExact && args[0].text === '!') args.shift()
  const [first, second, third] = args
  if (args.some(({ isOpen }) => isOpen)) return call.note('unknown', 'dynamic', words(call))
  const isOne = args.length === 1
  const isUnary = args.length === 2 && first?.isExact === true && /^-[a-zA-Z]$/.test(first.text)
  const isBinary = args.length === 3 && second?.isExact === true
  if (isUnary && second && (LOOKS.test(first.text) || ['-n', '-z', '-t'].includes(first.text))) {
    if (LOOKS.test(first.text)) looksAt(call, second)
    return
  }
  if (isBinary && second && COMPARES.has(second.text) && first && third) return
  if (isBinary && second && ['-nt', '-ot', '-ef'].includes(second.text) && first && third) {
    looksAt(call, first)
    looksAt(call, third)
    return
  }
  if (isOne || args.length === 0) return
  const isPlain = args.every(({ isExact, isGlob }) => isExact && !isGlob)
  if (!isPlain || args.some(({ text }) => text === '-v' || text === '-R')) call.note('unknown', 'dynamic', words(call))
  else for (const [at, arg] of args.entries()) if (LOOKS.test(args[at - 1]?.text ?? '')) looksAt(call, arg)
}

function looksAt(call: Call, field: Field) {
  if (!field.isExact || field.isGlob) return call.note('unknown', 'dynamic', shown(field))
  const path = resolvePath(call.scope.cwd ?? '/', field.text, call.place)
  const spot = spotOf(path, call.place)
  if (spot !== 'inside' && spot !== 'extra-root' && spot !== 'void') call.note('unknown', 'outside', path)
}

const CD = readSpec('-LPen')

function changeDirectory(call: Call) {
  const { scope, place, home } = call
  const { operands } = parseOptions(call, CD)
  const [target] = operands
  const old = scope.cwd
  const leave = (cwd: string | undefined) => {
    if (old !== undefined) scope.elsewhere = [...scope.elsewhere, old]
    scope.cwd = cwd
  }
  if (target === undefined) return leave(call.name === 'cd' ? home : undefined)
  if (!target.isExact || target.isGlob || target.text === '-' || target.text.startsWith('+')) {
    if (!target.text.includes(HOLE) && target.text !== '-') {
      leave(resolvePath(old ?? '/', target.text, place))
      return
    }
    call.note('unknown', 'dynamic', shown(target))
    return leave(undefined)
  }
  leave(old === undefined && !target.text.startsWith('/') ? undefined : resolvePath(old ?? '/', target.text, place))
}

const READ = readSpec('-rse -a: -d: -i: -n: -N: -p: -t: -u:')

function reads(call: Call): void {
  const { operands, given } = parseOptions(call, READ)
  const names = [...operands, given.get('-a')].filter((name) => name !== undefined)
  bindAll(call, names)
}

const READ_LINES = readSpec('-t -d: -n: -O: -s: -u: -c: -C:')

function readsLines(call: Call): void {
  for (const [at, { text }] of call.args.entries()) {
    if (text.startsWith('-') && text.includes('C')) {
      const code = text.slice(text.indexOf('C') + 1) || (call.args[at + 1]?.text ?? '')
      call.probe(code)
      call.note('hostile', 'runs-program', `-C ${code}`)
    }
  }
  const { operands } = parseOptions(call, READ_LINES)
  bindAll(call, operands)
}

// A name may be `a[$(command)]`, and bash runs that.
function bindAll(call: Call, names: readonly Field[]): void {
  for (const name of names) {
    if (!name.isExact || !/^[A-Za-z_]\w*$/.test(name.text)) call.note('unknown', 'dynamic', shown(name))
    else assign(name.text, unknown(), { scope: call.scope, context: call.context })
  }
}

// They may mark variables for export, make references of them, or print all of them.
function declares(call: Call) {
  const pairs = call.args.filter(({ text }) => !text.startsWith('-'))
  if (pairs.length === 0) return call.note('unknown', 'environment', call.name)
  for (const pair of pairs) {
    const at = pair.text.indexOf('=')
    const name = at < 0 ? pair.text : pair.text.slice(0, at).replace(/\+$/, '')
    const value = { ...pair, text: at < 0 ? '' : pair.text.slice(at + 1) }
    judgeVariable(name, value, { context: call.context, isExported: true })
    call.scope.variables.set(name, { ...value, isExact: false })
  }
  call.note('unknown', 'variable', words(call))
}

function sets(call: Call) {
  if (call.args.length === 0) return call.note('unknown', 'environment', 'set')
  if (call.args[0]?.text === '--') call.scope.positional = call.args.slice(1)
  const isStrict = call.args.every(({ text, isExact }) => isExact && /^(?:[-+][eux]+o?|pipefail|-o)$/.test(text))
  if (!isStrict) call.note('unknown', 'option', words(call))
}

function completes(call: Call): void {
  if (call.args.some(({ text }) => /^-[CF]/.test(text))) {
    for (const { text } of call.args) if (/\s/.test(text)) call.probe(text)
    call.note('hostile', 'hidden', `${call.name} ${words(call)}`)
  } else call.note('unknown', 'option', words(call))
}
