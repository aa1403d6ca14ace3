import { printable } from '../terminal/printable.ts'

/** What may be shown of a secret: the vendor's prefix, no more. */
export function maskSecret(secret: string): string {
  const prefix = secret.length > 12 ? /^[A-Za-z]{2,4}-/.exec(secret)?.[0] : undefined
  return `${prefix ?? ''}•••`
}

/** One setting as it may be shown. */
export interface ShownSetting {
  readonly key: string
  readonly value: string | number | boolean | readonly string[]
}

/** A setting and all below it, a row each, with every secret masked. */
export function showSetting(path: readonly string[], value: unknown): ShownSetting[] {
  const key = path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join('.')
  if (path[0] === 'keys' && path.length === 2) return [{ key, value: showKey(value) }]
  if (typeof value === 'string') {
    return [{ key, value: path.includes('headers') ? maskSecret(value) : printable(withoutPassword(value)) }]
  }
  if (typeof value === 'number' || typeof value === 'boolean') return [{ key, value }]
  if (Array.isArray(value)) return [{ key, value: value.map(showItem) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => showSetting([...path, name], inner))
}

function showItem(item: unknown): string {
  return printable(typeof item === 'string' ? item : JSON.stringify(item))
}

// A command may hold the secret itself (`echo sk-…`), so it is not shown either.
function showKey(value: unknown): string {
  return typeof value === 'string' ? maskSecret(value) : '{"command": •••}'
}

// Addresses from the environment were not checked when they were written.
function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/)[^/@\s]*@/, '$1…@')
}
