import { readBytes, userFile } from './read-bytes.ts'

/** The language the user's file asks for. Errors wait for whoever needs the whole file: help must work without it. */
export async function peekLanguage(home: string): Promise<string | undefined> {
  const read = readBytes(userFile(home))
  if (!read || 'reason' in read) return undefined
  const text = new TextDecoder().decode(read.bytes)
  // Most files name no language: the parser is then not even loaded.
  if (!text.includes('"lang"')) return undefined
  const { parse } = await import('jsonc-parser')
  const value: unknown = parse(text)
  const lang = typeof value === 'object' && value !== null && 'lang' in value ? value.lang : undefined
  return typeof lang === 'string' ? lang : undefined
}
