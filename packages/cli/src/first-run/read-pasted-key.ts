import type { Provider } from '../config/choices.ts'

/** What a person pasted: a key and whose it seems to be, or why it cannot be one. */
export type PastedKey =
  | { readonly key: string; readonly vendor: Provider | undefined }
  | { readonly fault: 'odd' | 'short' }

const SHORTEST = 20

/** Reads what was pasted. Only its form is looked at: whether it is valid, its vendor says with the first request. */
export function readPastedKey(text: string): PastedKey | undefined {
  const [, assigned] = /^(?:export\s+|set\s+)?[A-Z][A-Z0-9_]*=(.*)$/s.exec(text.trim()) ?? []
  const key = (assigned ?? text).trim().replace(/^(["'])(.*)\1$/s, '$2')
  if (key === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(key)) return { fault: 'odd' }
  if (key.length < SHORTEST) return { fault: 'short' }
  return { key, vendor: vendorBy(key) }
}

function vendorBy(key: string): Provider | undefined {
  if (key.startsWith('sk-ant-')) return 'anthropic'
  return key.startsWith('sk-') ? 'openai' : undefined
}
