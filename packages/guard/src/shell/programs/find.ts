import type { Call } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { addAccess } from '../findings.ts'
import { parseOptions, readSpec } from '../options.ts'
import { isVital, resolvePath } from '../place.ts'
import { exact, type Field, unknown } from '../scope.ts'

const TESTS = new Set(
  '-a -and -daystart -depth -d -empty -executable -false -follow -ignore_readdir_race -mount -nogroup -noignore_readdir_race -noleaf -not -nouser -nowarn -o -or -print -print0 -prune -quit -readable -true -warn -writable -xdev -ls ! ( ) , -version --version -help --help'.split(
    ' ',
  ),
)
const WITH_VALUE = new Set(
  '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype'.split(
    ' ',
  ),
)
const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** find: harmless as long as it only looks; its actions are judged one by one. */
export function judgeFind(call: Call): void {
  const { args } = call
  let at = 0
  while (/^-(?:[HLPEXds]+|O\d?|D)$/.test(args[at]?.text ?? '')) at += args[at]?.text === '-D' ? 2 : 1
  const starts: Field[] = []
  while (at < args.length && !/^[-!(),]/.test(args[at]?.text ?? '')) starts.push(args[at++] as Field)
  if (starts.length === 0) starts.push(exact('.'))
  for (const start of starts) {
    if (start.isGlob && /^[*?[]/.test(start.text)) call.note('unknown', 'dynamic', shown(start))
    checkPath(call, start, 'look')
    // Looking through a whole home or machine is more than looking at it.
    const path = resolvePath(call.scope.cwd ?? '/', start.text, call.place)
    if (path !== call.place.root && isVital(path, call.place))
      addAccess(call.findings, { kind: 'read', path, where: 'outside' })
  }
  const isFiltered = args.some(
    ({ text }) => WITH_VALUE.has(text) && !/^-(?:maxdepth|mindepth|type|printf|xtype)$/.test(text),
  )
  while (at < args.length) at = judgePredicate(call, at, { starts, isFiltered })
}

interface Search {
  readonly starts: readonly Field[]
  readonly isFiltered: boolean
}

function judgePredicate(call: Call, at: number, { starts, isFiltered }: Search): number {
  const { args } = call
  const word = args[at] as Field
  const { text } = word
  const value = args[at + 1]
  if (TESTS.has(text)) return at + 1
  if (WITH_VALUE.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
    if (/^-(?:newer|samefile|anewer|cnewer)/.test(text) && value) checkPath(call, value, 'look')
    return at + 2
  }
  if (text === '-delete') {
    call.note('irreversible', 'destroys', starts.map(shown).join(' '))
    for (const start of starts) loses(call, start, isFiltered)
    return at + 1
  }
  if (/^-f(?:print0?|ls|printf)$/.test(text)) {
    call.note('effects', 'writes', value ? shown(value) : '')
    if (value) checkPath(call, value, 'write')
    return at + (text === '-fprintf' ? 3 : 2)
  }
  if (RUNS.has(text)) {
    const end = args.findIndex(
      (arg, index) => index > at && (arg.text === ';' || (arg.text === '+' && args[index - 1]?.text === '{}')),
    )
    const stop = end < 0 ? args.length : end
    runs(call, args.slice(at + 1, stop), { starts, isFiltered })
    return stop + 1
  }
  call.note('unknown', 'option', shown(word))
  return at + 1
}

function runs(call: Call, words: readonly Field[], { starts, isFiltered }: Search): void {
  call.note('unknown', 'runs-code', words.map(shown).join(' '))
  const [start = exact('.')] = starts
  const isRemoval = words[0]?.text === 'rm'
  const found = (text: string) => (isRemoval ? '\uFFFC' : `${start.text.replace(/\/$/, '')}/*`) + text.slice(2)
  const isDeep = words.some(({ text }) => /^-\w*[rR]/.test(text))
  if (isRemoval && isDeep) for (const each of starts) loses(call, each, isFiltered)
  call.run(
    words.map((word) =>
      word.text === '{}'
        ? { ...unknown(), text: found('{}'), isGlob: !isRemoval }
        : word.text.includes('{}')
          ? { ...word, isExact: false }
          : word,
    ),
    { input: { kind: 'none' } },
  )
}

function loses(call: Call, start: Field, isFiltered: boolean) {
  if (isFiltered) return checkPath(call, { ...start, text: `${start.text}/x` }, 'delete')
  const path = resolvePath(call.scope.cwd ?? '/', start.text, call.place)
  if (isVital(path, call.place)) call.note('catastrophe', 'catastrophe', shown(start))
  else checkPath(call, start, 'delete')
}

const FD = readSpec(
  '-HIuLsigaFlp0q1j -# -d: -e: -E: -S: -t: -c: -o: -D: --hidden --no-ignore --unrestricted --follow --case-sensitive --ignore-case --glob --absolute-path --fixed-strings --full-path --max-depth: --min-depth: --extension: --exclude: --size: --type: --color: --max-results: --changed-within: --changed-before: --list-details --print0 --quiet --threads: --strip-cwd-prefix --no-ignore-vcs --version --help --base-directory@ --search-path@',
)

/** fd: like find, with another way to say what is to be run. */
export function judgeFd(call: Call): void {
  const at = call.args.findIndex(({ text }) => /^-\w*[xX]$|^--exec(?:-batch)?$/.test(text))
  if (at >= 0) {
    call.note('unknown', 'runs-code', 'fd')
    call.run([...call.args.slice(at + 1), unknown()])
  }
  const { operands } = parseOptions(at < 0 ? call : { ...call, args: call.args.slice(0, at) }, FD)
  for (const path of operands.slice(1)) checkPath(call, path, 'look')
}
