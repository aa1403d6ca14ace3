import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import type { CodeFile, House, Import } from './house.ts'

/** What an import points at. */
export type Target =
  | { kind: 'builtin' }
  | { kind: 'file'; path: string; owner: string | undefined }
  | { kind: 'package'; folder: string; deep: boolean; name: string }
  | { kind: 'dependency'; name: string }

/** Says what an import of a file points at; nothing is looked up on disk. */
export function resolveImport({ packages }: House, { path }: CodeFile, { specifier }: Import): Target {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier)
    const [top, owner] = target.split('/')
    return { kind: 'file', path: target, owner: top === 'packages' ? owner : undefined }
  }
  if (isBuiltin(specifier)) return { kind: 'builtin' }
  const parts = specifier.split('/')
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
  const found = packages.find(({ manifest }) => manifest.name === name)
  if (found === undefined) return { kind: 'dependency', name }
  return { kind: 'package', folder: found.folder, deep: specifier !== name, name }
}
