import type { Access } from '@maru/protocol'
import { isInsideGit, markOf } from '../marks.ts'
import type { Call } from './call.ts'
import { addAccess } from './findings.ts'
import { type CommandPlace, isVital, resolvePath, shortPath, spotOf } from './place.ts'
import { type Field, HOLE } from './scope.ts'
import { couldBeSecret, isSensitive } from './sensitive.ts'

/** What is done with a path; `look` learns its name, size or existence, not what it holds. */
export type Use = 'read' | 'look' | 'write' | 'create' | 'delete'

interface Target {
  /** As far as it is literal. */
  readonly path: string
  /** The pattern behind that, empty for a plain path. */
  readonly rest: readonly string[]
  readonly isRelative: boolean
}

/** Judges one path that a command uses, and tells what is touched. */
export function checkPath(call: Call, field: Field, use: Use) {
  const { place, findings, scope } = call
  const text = field.text
  if (!field.isExact) call.note('unknown', 'dynamic', shown(field))
  if (text === '') return
  const target = targetOf(field, call)
  if (target === undefined) {
    const rest = text.slice(text.lastIndexOf(HOLE) + 1)
    // An empty variable in front of a slash is the root of the machine.
    if (use === 'delete' && text.startsWith(HOLE) && /^\/[*.]*$/.test(rest))
      call.note('catastrophe', 'catastrophe', '/')
    return
  }
  const { path, rest } = target
  const spot = spotOf(path, place)
  const short = shortPath(path, place)
  if (target.isRelative && scope.elsewhere.some((other) => !isAt(other, text, call))) {
    call.note('unknown', 'outside', shown(field))
  }
  if (rest.includes('..') || (use !== 'delete' && rest.some((part) => part.startsWith('.')))) {
    call.note('unknown', 'outside', shown(field))
  }
  if (use === 'delete') checkLoss(call, target)
  switch (spot) {
    case 'inside':
    case 'extra-root':
      touch(call, { kind: use === 'look' ? 'read' : use, path: [short, ...rest].join('/'), where: spot }, use)
      return
    case 'void':
      return
    case 'temporary':
      if (use === 'read' || use === 'look') call.note('unknown', 'outside', path)
      else call.note('effects', 'writes', path)
      return
    case 'network':
      call.note('hostile', 'exfiltration', `data through ${path}`)
      findings.reached++
      return
    case 'device':
      if (use === 'read' || use === 'look') addAccess(findings, { kind: 'read', path, where: 'outside' })
      else call.note('catastrophe', 'catastrophe', path)
      return
    case 'public':
      if (use === 'read' || use === 'look') {
        call.note('unknown', 'outside', path)
        return
      }
      break
    case 'outside':
      if (use === 'look' && (path === '/' || path === call.home)) {
        call.note('unknown', 'outside', path)
        return
      }
      break
    default:
      spot satisfies never
  }
  if (use === 'read' && (markOf(path, 'read') === 'secret' || isSensitive(path))) findings.secrets++
  addAccess(findings, { kind: use === 'look' ? 'read' : use, path, where: 'outside' })
}

type PathAccess = Extract<Access, { path: string }>

function touch(call: Call, access: PathAccess, use: Use) {
  const { findings } = call
  if (use === 'look') return addAccess(findings, access)
  if (use === 'read') {
    if (!couldBeSecret(access.path)) return addAccess(findings, access)
    findings.secrets++
    return addAccess(findings, { ...access, mark: 'secret' })
  }
  const isProtected = markOf(access.path, 'write') === 'protected'
  if (use !== 'delete' && (isProtected || /(?:^|\/)node_modules\/\.bin(?:\/|$)/.test(access.path))) {
    call.note('hostile', 'protected', access.path)
  }
  addAccess(findings, isProtected ? { ...access, mark: 'protected' } : access)
}

function checkLoss(call: Call, { path, rest }: Target): void {
  const { place } = call
  const [first = '', ...more] = rest
  const isAll = rest.length === 0 || (more.length === 0 && /^(?:\*+|\.\*|\.\[!\.\]\*|\.\?\?\*|\*\.\*)$/.test(first))
  const isGit = isInsideGit(path) && (/\.git$/i.test(path) || /\.git\/(?:objects|refs)$/i.test(path))
  if (isAll && (isVital(path, place) || isGit)) call.note('catastrophe', 'catastrophe', shortPath(path, place))
}

// What a path leads to from where the command runs; nothing where not even its beginning is known.
function targetOf(field: Field, call: Call): Target | undefined {
  const { place, scope } = call
  let text = field.text
  const hole = text.indexOf(HOLE)
  if (hole === 0) return undefined
  if (hole > 0) text = `${text.slice(0, text.lastIndexOf('/', hole) + 1)}`
  if (text === '') return undefined
  if (!field.isExact && /^~(?:\/|$)/.test(text)) text = call.home + text.slice(1)
  const isRelative = !text.startsWith('/')
  if (isRelative && scope.cwd === undefined) {
    call.note('unknown', 'dynamic', shown(field))
    return undefined
  }
  const base = scope.cwd ?? '/'
  if (!field.isGlob) return { path: resolvePath(base, text, place), rest: [], isRelative }
  const parts = text.split('/')
  const wild = parts.findIndex((part) => /[*?[]/.test(part))
  if (wild < 0) return { path: resolvePath(base, text, place), rest: [], isRelative }
  const fixed = parts.slice(0, wild).join('/')
  const path = resolvePath(base, wild === 0 ? '.' : fixed === '' ? '/' : fixed, place)
  return { path, rest: parts.slice(wild).filter((part) => part !== '' && part !== '.'), isRelative }
}

function isAt(cwd: string, text: string, { place }: { place: CommandPlace }): boolean {
  const spot = spotOf(resolvePath(cwd, text, place), place)
  return spot === 'inside' || spot === 'extra-root'
}

/** A field as people see it. */
export function shown({ text, isExact }: Field): string {
  return isExact ? text : text.replaceAll(HOLE, '…')
}
