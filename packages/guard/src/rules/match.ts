import type { Access } from '@maru/protocol'
import type { Rule } from './rule.ts'

/** Where a call is made from; paths of rules that begin with `/` or `~/` are whole ones. */
export interface Ground {
  readonly tool: string
  readonly root: string
  readonly home?: string
}

/** Whether a rule is about this access of a call. */
export function matches(rule: Rule, access: Access, { tool, root, home }: Ground): boolean {
  if (rule.in !== undefined && trimSlash(rule.in) !== trimSlash(root)) return false
  if (rule.tool !== undefined && rule.tool !== tool) return false
  if (rule.program !== undefined) return matchesRun(rule, access)
  if (rule.path !== undefined) return matchesPath(rule, access, { root, home })
  if (rule.host !== undefined) return access.kind === 'net' && matchesHost(rule.host, access.host)
  return rule.tool !== undefined
}

function matchesRun({ program, args }: Rule, access: Access): boolean {
  if (access.kind !== 'run' || access.program !== program) return false
  return args === undefined || matchesArguments(args, access.argv)
}

/** Whether arguments have a shape: as many, each like its pattern; any more where the last pattern is `**`. */
export function matchesArguments(shape: readonly string[], argv: readonly string[]): boolean {
  const isOpen = shape.at(-1) === '**'
  const fixed = isOpen ? shape.slice(0, -1) : shape
  if (isOpen ? argv.length < fixed.length : argv.length !== fixed.length) return false
  return fixed.every((pattern, index) => matchesWord(pattern, argv[index] ?? ''))
}

// A star in an argument is for values, never for a second word: what looks like an option must be written out.
function matchesWord(pattern: string, word: string): boolean {
  if (pattern.startsWith('*') && word.startsWith('-')) return false
  return expression(pattern, { any: '[^]*', letters: '[^]*' }).test(word)
}

function matchesPath(
  { path: pattern = '', use, decision }: Rule,
  access: Access,
  { root, home }: { root: string; home: string | undefined },
): boolean {
  if (!('path' in access)) return false
  if (use !== undefined && (access.kind === 'read') !== (use === 'read')) return false
  const whole = (path: string) => (path.startsWith('/') ? path : `${trimSlash(root)}/${path}`)
  const wanted = pattern.startsWith('~/') && home !== undefined ? trimSlash(home) + pattern.slice(1) : whole(pattern)
  const flags = decision === 'allow' ? '' : 'i'
  const shape = expression(wanted.normalize('NFC'), { any: '(?:[^/]+/)*', letters: '[^/]*' }, flags)
  return shape.test(whole(access.path).normalize('NFC'))
}

function matchesHost(pattern: string, host: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')
  return expression(plain(pattern), { any: '[^]*', letters: '[^]*' }).test(plain(host))
}

// `**/` is any number of folders, also none; `**` at the end is everything below.
function expression(pattern: string, { any, letters }: { any: string; letters: string }, flags = ''): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*$|\*|[\\^$.|?+()[\]{}]/g, (sign) => {
    if (sign === '**/') return any
    if (sign === '**') return '[^]*'
    return sign === '*' ? letters : `\\${sign}`
  })
  return new RegExp(`^${source}$`, `${flags}u`)
}

function trimSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path
}
