import { posix, win32 } from 'node:path'
import type { Diagnostic } from '@maru/protocol'

/** Where a path leads by its words alone: the names below the root, or outside, or it is no path at all. */
export type Place =
  // `isDirectory`: it is written like one (`src/`), whatever is there.
  | { where: 'inside'; path: string; parts: string[]; isDirectory: boolean }
  | { where: 'outside'; path: string }
  // `diagnostic`: what stood in the way, where it was not the words.
  | { where: 'nowhere'; path: string; problem: string; diagnostic?: Diagnostic }

export type Inside = Extract<Place, { where: 'inside' }>

// What systems take in one piece. Step by step we could go deeper, to where no other program finds or deletes it.
const LONGEST = 4_000

/**
 * Reads a path as the model wrote it: relative to the root, or absolute below it. `..` is taken back here, by words;
 * what is a link on the way is the walk's to find. Windows is judged by words alone, and was never run there.
 */
export function locate(roots: readonly string[], path: string, platform: NodeJS.Platform = process.platform): Place {
  if (path === '') return { where: 'nowhere', path, problem: 'is empty' }
  if (Buffer.byteLength(path) > LONGEST)
    return { where: 'nowhere', path: `${path.slice(0, 100)}…`, problem: 'is too long' }
  if (path.includes('\0')) return { where: 'nowhere', path: path.replaceAll('\0', '\\0'), problem: 'holds a NUL byte' }
  const isWindows = platform === 'win32'
  const rest = restBelow(roots, path, isWindows ? win32 : posix)
  if (rest === undefined) return { where: 'outside', path }
  const names = rest.split(isWindows ? /[\\/]/ : '/')
  if (isWindows && names.some(isWindowsTrap)) return { where: 'outside', path }
  const parts: string[] = []
  for (const name of names) {
    if (name === '' || name === '.') continue
    if (name !== '..') parts.push(name)
    else if (parts.pop() === undefined) return { where: 'outside', path }
  }
  const isDirectory = ['', '.', '..'].includes(names.at(-1) ?? '')
  return { where: 'inside', path: parts.join('/') || '.', parts, isDirectory }
}

function restBelow(roots: readonly string[], path: string, { isAbsolute, resolve, sep }: typeof posix) {
  if (!isAbsolute(path)) return path
  // resolve() drops the slash that says "a directory".
  const absolute = resolve(path) + (path.endsWith('/') ? sep : '')
  for (const root of roots) {
    const prefix = root.endsWith(sep) ? root : root + sep
    if (absolute === root) return ''
    if (absolute.startsWith(prefix)) return absolute.slice(prefix.length)
  }
  return undefined
}

// Drives and streams (`C:x`, `a:stream`), devices (`NUL`, `com1.txt`), and names that Windows takes for shorter ones.
function isWindowsTrap(name: string): boolean {
  return /:|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|~\d|^(?!\.\.?$).*[. ]$/i.test(name)
}
