import type { Call, Judge } from '../call.ts'
import { shown } from '../check-path.ts'
import { parseOptions, readSpec, type Spec } from '../options.ts'
import { resolvePath } from '../place.ts'
import { exact, type Field, fork, unknown } from '../scope.ts'
import { judgeVariable } from '../variables.ts'

const EXEC = readSpec('-cl -a:')
const TIME = readSpec('-pvaq -f: -o> --verbose --portability --format: --output>')
const NICE = readSpec('-n: -# --adjustment:')
const STDBUF = readSpec('-i: -o: -e: --input: --output: --error:')
const TIMEOUT = readSpec('-v -k: -s: --foreground --preserve-status --kill-after: --signal: --verbose')
const FLOCK = readSpec('-ensuxFo -E: -w: -c: --exclusive --shared --nonblock --timeout: --no-fork')
const WATCH = readSpec('-bcdegtxw -n: --interval: --differences --no-title')
const PARALLEL = readSpec('-j: -n: -k0X --jobs: --dry-run')

/** Programs that run another one: what they carry is judged as if it stood there alone. */
export const carriers: Record<string, Judge> = {
  command(call) {
    const [flag] = call.args
    if (/^-[vV]+$/.test(flag?.text ?? '')) return
    if (flag?.text.startsWith('-')) call.note('unknown', 'option', shown(flag))
    call.run(flag?.text.startsWith('-') ? call.args.slice(1) : call.args)
  },
  builtin: (call) => call.run(call.args),
  exec(call) {
    const rest = skipOptions(call, EXEC)
    if (call.args.some(({ text }) => /^-[cl]*a/.test(text))) call.note('hostile', 'hidden', 'exec -a')
    call.run(rest)
  },
  env: carriesEnvironment,
  time: (call) => call.run(skipOptions(call, TIME)),
  nice: (call) => call.run(skipOptions(call, NICE)),
  stdbuf: (call) => call.run(skipOptions(call, STDBUF)),
  timeout: (call) => call.run(skipOptions(call, TIMEOUT).slice(1)),
  nohup: leavesBehind('-'),
  setsid: leavesBehind('-cfw --ctty --fork --wait'),
  ionice: leavesBehind('-t -c: -n: -p: --class: --classdata: --ignore'),
  chrt: leavesBehind('-abdfior -p:', 1),
  taskset: leavesBehind('-ac', 1),
  caffeinate: leavesBehind('-dimsu -t: -w:'),
  unbuffer: leavesBehind('-p'),
  rlwrap: leavesBehind('-'),
  fakeroot: leavesBehind('-'),
  'xvfb-run': leavesBehind('-a -e: -n: -s: --auto-servernum'),
  'dbus-run-session': leavesBehind('-'),
  strace: traces,
  ltrace: traces,
  perf: traces,
  valgrind: traces,
  flock(call) {
    call.note('unknown', 'runs-code', 'flock')
    const rest = skipOptions(call, FLOCK)
    const code = rest.findIndex(({ text }) => text === '-c')
    if (code >= 0) call.script(rest[code + 1]?.text ?? '')
    else call.run(rest.slice(1))
  },
  watch(call) {
    call.note('unknown', 'runs-code', 'watch')
    call.script(textOf(skipOptions(call, WATCH)))
  },
  script(call) {
    for (const [at, { text }] of call.args.entries()) {
      if (/^(?:-\w*c|--command)$/.test(text)) call.script(call.args[at + 1]?.text ?? '')
      else if (text.startsWith('--command=')) call.script(text.slice('--command='.length))
    }
    call.note('unknown', 'runs-code', 'script')
  },
  xargs: carriesData,
  parallel(call) {
    call.note('unknown', 'runs-code', 'parallel')
    const at = call.args.findIndex(({ text }) => text === ':::')
    const inner = skipOptions({ ...call, args: at < 0 ? call.args : call.args.slice(0, at) }, PARALLEL)
    call.script(textOf(inner))
    call.run([...inner, ...(at < 0 ? [unknown()] : call.args.slice(at + 1))])
  },
  busybox: applet,
  toybox: applet,
  tmux: elsewhere,
  screen: elsewhere,
  expect: elsewhere,
  at: later,
  batch: later,
  entr: leavesBehind('-acdnprsxz'),
  'ssh-agent': leavesBehind('-acDdks -t:'),
}

/** The words behind a carrier's own options. */
export function skipOptions(call: Call, spec: Spec): readonly Field[] {
  const { args } = call
  let at = 0
  while (at < args.length) {
    const { text } = args[at] as Field
    if (text === '--') return args.slice(at + 1)
    if (!text.startsWith('-') || text === '-') break
    const next = args[at + 1]
    const pair = next ? [args[at] as Field, next] : [args[at] as Field]
    // Read with and without the word behind it: what is left tells whether that was its value.
    const { operands } = parseOptions({ ...call, args: pair }, spec)
    at += next && operands.length === 0 && !next.text.startsWith('-') ? 2 : 1
  }
  return args.slice(at)
}

export function textOf(words: readonly Field[]): string {
  return words.map(({ text }) => text).join(' ')
}

function carriesEnvironment(call: Call): void {
  const { args } = call
  let at = 0
  let scope = call.scope
  for (; at < args.length; at++) {
    const word = args[at] as Field
    const { text } = word
    if (text === '--') continue
    if (/^-[iv0]+$|^-$|^--ignore-environment$|^--null$|^--debug$/.test(text)) continue
    if (/^(?:-u|--unset)$/.test(text)) at++
    else if (/^(?:-u.|--unset=)/.test(text)) continue
    else if (/^(?:-\w*S|--split-string)/.test(text)) {
      call.note('hostile', 'hidden', `env ${text}`)
      call.script(
        [text.replace(/^(?:-\w*S|--split-string=?)/, ''), ...args.slice(at + 1).map((arg) => arg.text)].join(' '),
      )
      return
    } else if (/^(?:-C|--chdir)/.test(text)) {
      const target = text.includes('=') ? text.slice(text.indexOf('=') + 1) : (args[++at]?.text ?? '')
      scope = fork(scope, { cwd: resolvePath(scope.cwd ?? '/', target, call.place) })
    } else if (text.startsWith('-')) call.note('unknown', 'option', shown(word))
    else if (/^[A-Za-z_]\w*=/.test(text)) {
      const equals = text.indexOf('=')
      const value = { ...word, text: text.slice(equals + 1) }
      judgeVariable(text.slice(0, equals), value, { context: call.context, isExported: true })
    } else break
  }
  if (at < args.length) call.run(args.slice(at), { scope })
  else tellsEnvironment(call)
}

// The number of variables tells nothing.
export function tellsEnvironment(call: Call): void {
  if (call.output !== 'wc') call.note('unknown', 'environment', 'all of them')
}

// What it starts may outlive the command.
function leavesBehind(table: string, skip = 0): Judge {
  const spec = readSpec(table)
  return (call) => {
    call.note('unknown', 'process', call.name)
    call.run(skipOptions(call, spec).slice(skip))
  }
}

function traces(call: Call) {
  if (call.args.some(({ text }) => /^-p(?:\d+)?$|^--(?:attach|pid)/.test(text)))
    return call.privilege('another process')
  call.note('unknown', 'process', call.name)
  const at = call.args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-[eoOsSuEIPX]$/.test(call.args[index - 1]?.text ?? ''),
  )
  if (at >= 0 && call.name !== 'perf') call.run(call.args.slice(at))
}

const XARGS = readSpec(
  '-0prtxo -a< -d: -E: -e? -I: -i? -L: -l? -n: -P: -s: --null --no-run-if-empty --verbose --exit --max-args: --max-procs: --max-lines? --replace? --delimiter: --arg-file< --interactive --max-chars: --eof?',
)

// Its arguments come from data: names of files that may look like options, or lead anywhere.
function carriesData(call: Call): void {
  const inner = skipOptions(call, XARGS)
  const { given } = parseOptions({ ...call, args: call.args.slice(0, call.args.length - inner.length) }, XARGS)
  const mark = given.get('-I')?.text ?? (given.has('-i') || given.has('--replace') ? '{}' : undefined)
  const data =
    call.input.text === undefined
      ? [unknown()]
      : call.input.text.split(/\s+/).map((text) => ({ ...exact(text), isExact: false }))
  const [first] = data
  if (inner.length === 0) return
  const words =
    mark === undefined
      ? [...inner, ...data]
      : inner.map((word) =>
          word.text.includes(mark)
            ? { ...word, text: word.text.replaceAll(mark, first?.text ?? ''), isExact: false }
            : word,
        )
  if (words[0]?.text === 'echo') return
  call.note('unknown', 'dynamic', 'names that come from data')
  const isShell = /^(?:.*\/)?(?:ba|da|z|k)?sh$|^eval$|^python|^node$|^perl$|^ruby$/.test(words[0]?.text ?? '')
  if (isShell && (call.input.source === 'network' || call.input.source === 'decoder'))
    call.note('hostile', 'remote-code', call.input.from)
  call.run(words, { input: { kind: 'none' } })
}

function applet(call: Call): void {
  call.run(call.args.filter(({ text }, at) => at > 0 || !text.startsWith('-')))
}

// A session of its own: what runs there is seen by nobody.
function elsewhere(call: Call): void {
  call.note('unknown', 'process', call.name)
  for (const [at, { text }] of call.args.entries()) {
    if (/\s/.test(text)) call.probe(text.replace(/^\s*(?:spawn|exec)\s+/, ''))
    if (/\bspawn\s+(?:-\w+\s+)*(?:\/bin\/)?\w*sh\b/.test(text)) call.note('hostile', 'hidden', text)
    if (/^(?:\/bin\/)?(?:ba|z|da|k)?sh$/.test(text) && /^-\w*c/.test(call.args[at + 1]?.text ?? ''))
      call.probe(textOf(call.args.slice(at + 2)))
  }
}

function later(call: Call) {
  if (call.args.some(({ text }) => /^-[lqV]$/.test(text)) && call.args.length === 1)
    return call.note('unknown', 'process', call.name)
  call.note('hostile', 'persistence', textOf(call.args) || call.name)
}
