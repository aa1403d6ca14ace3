/** What a profile checks. */
export type ProfileKind = 'test' | 'lint' | 'types'

/** The shape of what a program prints; `any` is found out from the output. */
export type OutputFormat =
  | 'jest-json'
  | 'mocha-json'
  | 'tap'
  | 'pytest'
  | 'unittest'
  | 'go-json'
  | 'cargo'
  | 'dotnet'
  | 'maven'
  | 'gradle'
  | 'problems'
  | 'any'

/** What can be run to check a directory, as words without a shell. */
export interface Profile {
  readonly kind: ProfileKind
  /** What a person would call it: `vitest`, `cargo test`. */
  readonly name: string
  readonly program: string
  readonly argv: readonly string[]
  /** The directory it has to be run in, below the root. */
  readonly cwd: string
  readonly format: OutputFormat
  /** The words that narrow it down to `filter`, or nothing if it cannot. */
  narrow?(filter: string): Narrowed
  /** File names that belong to it, to choose between two by a filter. */
  readonly files: RegExp
}

export interface Narrowed {
  readonly argv: readonly string[]
  readonly program?: string
}

/** Whether a filter names a file or directory rather than a test. */
export function isPathLike(filter: string): boolean {
  return /\/|\.(?:[cm]?[jt]sx?|py|go|rs|cs|fs|java|kt|vue|svelte)(?:$|::)/.test(filter)
}

export const JS_FILES = /\.(?:[cm]?[jt]sx?|vue|svelte)$/
