import type { PatchCode, PatchDetails, PatchDiagnostic } from './patch.ts'

/** Thrown where a patch cannot be; `planPatch` gives it back as a value. */
export class Refused extends Error {
  readonly diagnostics: readonly PatchDiagnostic[]
  constructor(diagnostics: readonly PatchDiagnostic[]) {
    super(diagnostics.map(({ message }) => message).join(' '))
    this.diagnostics = diagnostics
  }
}

export function refuse(code: PatchCode, words: { message: string; hint: string }, details: PatchDetails = {}): never {
  throw new Refused([{ code, ...words, details }])
}

const LINE_LIMIT = 240

/** Lines with their numbers, from `first` (from 0) on; long ones are cut, and it is said. */
export function numbered(lines: readonly string[], first: number, count: number): string {
  const from = Math.max(0, first)
  return lines
    .slice(from, Math.max(from, first + count))
    .map((line, index) => `${from + index + 1}\t${cut(line)}`)
    .join('\n')
}

/** A line that is short enough to be shown. */
export function cut(line: string): string {
  return line.length <= LINE_LIMIT
    ? line
    : `${line.slice(0, LINE_LIMIT)} [… ${line.length - LINE_LIMIT} more characters]`
}
