import type { Call } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { parseOptions, readSpec } from '../options.ts'
import { exact } from '../scope.ts'

const SPEC = readSpec(
  '-nrEsuz -e: -f: -l: -i? --quiet --silent --expression: --file: --line-length: --regexp-extended --separate --unbuffered --null-data --zero-terminated --posix --debug --sandbox --in-place? --follow-symlinks --version --help',
)

/** sed: every command of its script is read; those that run or write something are not harmless. */
export function judgeSed(call: Call): void {
  const { operands, given, all } = parseOptions(call, SPEC)
  const scripts = all.flatMap(([name, value]) => (name === '-e' || name === '--expression' ? [value?.text ?? ''] : []))
  const files = [...operands]
  const isInPlace = given.has('-i') || given.has('--in-place')
  if (given.has('-f') || given.has('--file')) call.note('unknown', 'runs-code', 'a script of sed')
  else if (scripts.length === 0) scripts.push(files.shift()?.text ?? '')
  for (const script of scripts) if (!readScript(call, script)) call.note('unknown', 'construct', script)
  for (const file of files) {
    if (isInPlace) {
      call.note('effects', 'changes', shown(file))
      checkPath(call, file, 'write')
    } else {
      if (file.isGlob && /^[*?[]/.test(file.text)) call.note('unknown', 'dynamic', shown(file))
      checkPath(call, file, 'read')
    }
  }
}

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|\/(?:\\.|\[[^\]]*\]|[^/\\[\n])*\/[IM]*|\\(.)(?:\\.|(?!\1)[^\n])*\1[IM]*|[+~]\d+)/
const WITH_BRACKETS =
  /^(s)([^\\\n[])((?:\\[\s\S]|\[\^?\]?(?:\[([:.=])(?:(?!\4\])[^\n])*\4\]|[^\][\n])*\]|(?!\2)[^\\[])*)\2((?:\\[\s\S]|(?!\2)[^\\])*)\2/
const SUBSTITUTE = /^([sy])([^\\\n])((?:\\[\s\S]|(?!\2)[^\\])*)\2((?:\\[\s\S]|(?!\2)[^\\])*)\2/

// Whether the whole script was understood.
function readScript(call: Call, script: string): boolean {
  let rest = script
  for (let steps = 0; steps < 200; steps++) {
    rest = rest.replace(/^[\s;{}]+/, '')
    if (rest === '') return true
    for (let address = ADDRESS.exec(rest); address; address = ADDRESS.exec(rest)) {
      if (hasOpenBracket(address[0])) return false
      rest = rest.slice(address[0].length).replace(/^[ \t]*,?[ \t]*/, '')
    }
    rest = rest.replace(/^[!\s]+/, '')
    const [command = ''] = rest
    if (command === '{' || command === '}') continue
    const after = readCommand(call, command, rest)
    if (after === undefined) return false
    rest = after
  }
  return false
}

function readCommand(call: Call, command: string, rest: string): string | undefined {
  const line = rest.split('\n', 1)[0] ?? ''
  const argument = line.slice(1).trim()
  if (/[=dDgGhHnNpPxzF]/.test(command)) return rest.slice(1)
  if (/[qQlL]/.test(command)) return rest.slice(1).replace(/^[ \t]*\d*/, '')
  if (command === '#') return rest.slice(line.length)
  // A label ends at the first blank, and what stands behind it is the next command.
  if (/[btT:v]/.test(command)) return rest.slice(/^.[ \t]*[^\s;}]*/.exec(rest)?.[0].length ?? line.length)
  if (/[aic]/.test(command)) return readText(rest)
  if (/[wWrR]/.test(command)) {
    const isWrite = command === 'w' || command === 'W'
    if (isWrite && argument !== '/dev/stdout') call.note('effects', 'writes', argument)
    checkPath(call, exact(argument), isWrite ? 'write' : 'read')
    return rest.slice(line.length)
  }
  if (command === 'e') {
    call.note('hostile', 'runs-program', `sed ${line}`)
    call.probe(argument)
    return rest.slice(line.length)
  }
  return command === 's' || command === 'y' ? readSubstitution(call, rest) : undefined
}

function readText(rest: string): string {
  // Text goes on behind each line that ends with a backslash.
  return rest.slice(/^.(?:\\\n|\\.|[^\\\n])*/.exec(rest)?.[0].length ?? rest.length)
}

function readSubstitution(call: Call, rest: string): string | undefined {
  const found = findSubstitution(rest)
  if (!found) return undefined
  const after = rest.slice(found[0].length)
  if (found[1] === 'y') return after
  const flags = /^[gpiImM\d]*/.exec(after)?.[0] ?? ''
  const next = after.slice(flags.length)
  if (next.startsWith('e')) {
    call.note('hostile', 'runs-program', `sed ${rest.split('\n', 1)[0]}`)
    return next.slice(1)
  }
  if (!next.startsWith('w')) return /^[\s;}]|^$/.test(next) ? next : undefined
  const line = next.split('\n', 1)[0] ?? ''
  const file = line.slice(1).trim()
  if (file !== '/dev/stdout') call.note('effects', 'writes', file)
  checkPath(call, exact(file), 'write')
  return next.slice(line.length)
}

// Some sed end a pattern at the first delimiter, others not where it stands in brackets. Where the former would find no
// sense in what is left, they do nothing at all, and it can be read as the latter do.
function findSubstitution(rest: string): RegExpExecArray | null {
  const found = SUBSTITUTE.exec(rest)
  if (!found || !hasOpenBracket(found[3] ?? '')) return found
  const next = rest.charAt(found[0].length)
  return next === '' || /[gpiImMew\d\s;}#]/.test(next) ? null : WITH_BRACKETS.exec(rest)
}

function hasOpenBracket(pattern: string): boolean {
  const rest = pattern.replace(/\\[\s\S]/g, '.').replace(/\[\^?\]?[^\]]*\]/g, '')
  return rest.includes('[')
}
