import type { Call } from '../call.ts'
import { checkPath } from '../check-path.ts'
import { parseOptions, readSpec } from '../options.ts'
import { exact } from '../scope.ts'

const OPTIONS =
  '-F: -v: -e: -f: -l! -E: --field-separator: --assign: --source: --file: --include! --load! --posix --re-interval --traditional --version --help -P -r -s -S -b -n -N -M --csv -k --sandbox --non-decimal-data --characters-as-bytes'
const SPEC = readSpec(`${OPTIONS} -i!`)
// Of all that `-i` could load, one comes with the program.
const IN_PLACE = readSpec(`${OPTIONS} -i:`)

/** awk: a language of its own. What it runs, writes or reads by itself is not harmless. */
export function judgeAwk(call: Call): void {
  const isInPlace = call.args.some(({ text }, at) => text === '-i' && call.args[at + 1]?.text === 'inplace')
  if (isInPlace) call.note('effects', 'changes', 'files')
  const { operands, given, all } = parseOptions(call, isInPlace ? IN_PLACE : SPEC)
  const programs = all.flatMap(([name, value]) => (name === '-e' || name === '--source' ? [value?.text ?? ''] : []))
  const files = [...operands]
  if (given.has('-f') || given.has('--file') || given.has('-E')) call.note('unknown', 'runs-code', 'a program of awk')
  else if (programs.length === 0) programs.push(files.shift()?.text ?? '')
  for (const program of programs) readProgram(call, program)
  for (const file of files) {
    if (/^[A-Za-z_]\w*=/.test(file.text)) continue
    checkPath(call, file, 'read')
  }
}

function readProgram(call: Call, program: string): void {
  const { code: lines, strings, isDoubtful } = strip(program)
  // A statement goes on behind a line that ends with one of these.
  const code = lines.replace(/(,|&&|\|\||\\)[ \t]*\n/g, '$1 ')
  if (isDoubtful) call.note('unknown', 'construct', program)
  if (/\bsystem\s*\(/.test(code)) runs(call, 'system()', strings)
  if (/(?:^|[^|])\|&?(?!\|)/.test(code)) runs(call, 'a pipe', strings)
  if (/@/.test(code)) call.note('hostile', 'runs-program', '@')
  if (/\bgetline\b/.test(code)) {
    call.note('unknown', 'construct', 'getline')
    for (const text of strings) checkPath(call, exact(text), 'read')
  }
  if (/\bprintf?\b[^;}\n]*>/.test(code)) {
    call.note('effects', 'writes', 'a file')
    for (const text of strings) if (/^[~./]|\//.test(text)) checkPath(call, exact(text), 'write')
  }
  if (/\bENVIRON\b|\bPROCINFO\b|\bSYMTAB\b|\bFUNCTAB\b/.test(code)) call.note('unknown', 'environment', 'ENVIRON')
  if (/\bARG[VC]\b/.test(code)) call.note('unknown', 'construct', 'ARGV')
}

function runs(call: Call, how: string, strings: readonly string[]): void {
  call.note('hostile', 'runs-program', how)
  for (const text of strings) call.probe(text)
}

interface Stripped {
  readonly code: string
  readonly strings: string[]
  /** Where a pattern ends depends on which awk reads it, or on more grammar than is known here. */
  readonly isDoubtful: boolean
}

// What a slash divides: behind anything else it begins a pattern.
const OPERAND = /(?:[\w$"\])]|\+\+|--)\s*$/
const KEYWORD = /(?:^|[^\w$])(?:print|printf|return|in|case|else|do|exit|getline|delete|and|or|not)\s*$/

// Takes out strings, patterns and comments, so that what is left are words and operators.
function strip(program: string): Stripped {
  const strings: string[] = []
  let code = ''
  let at = 0
  let isDoubtful = false
  while (at < program.length) {
    const rest = program.slice(at)
    const string = /^"((?:\\[\s\S]|[^"\\])*)"/.exec(rest)
    const comment = /^#[^\n]*/.exec(rest)
    const pattern = rest[0] === '/' ? /^\/((?:\\.|\[[^\]]*\]|[^/\\\n])*)\//.exec(rest) : null
    const isPattern = pattern !== null && (KEYWORD.test(code) || !OPERAND.test(code))
    if (pattern && hidesText(pattern[1] ?? '', { isPattern, program })) isDoubtful = true
    if (string) strings.push((string[1] ?? '').replace(/\\(.)/g, '$1'))
    if (string || isPattern) code += ' "" '
    else if (!comment) code += program[at]
    at += string?.[0].length ?? comment?.[0].length ?? (isPattern ? pattern[0].length : 1)
  }
  return { code, strings, isDoubtful }
}

// Behind `if (…)` it is a pattern, behind `f(…)` it divides, and who knows what each awk makes of two patterns in a row: a
// quote or a comment in there could take out of sight what the program does. And not every awk minds a slash in brackets.
function hidesText(pattern: string, { isPattern, program }: { isPattern: boolean; program: string }): boolean {
  const plain = pattern.replace(/\\./g, '.')
  if (isPattern) return /\[[^\]]*\//.test(plain) || /\[\^?\]/.test(plain)
  return /["#]/.test(pattern) && /\bsystem\b|\bgetline\b|[|>@]/.test(program)
}
