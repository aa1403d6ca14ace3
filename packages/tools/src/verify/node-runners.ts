import { isPathLike, type OutputFormat, type ProfileKind } from './profile.ts'

/** A program of this world: how it is known in a script, what makes it say what a machine can read, and how it narrows. */
export interface Runner {
  readonly name: string
  readonly kind: ProfileKind
  readonly pattern: RegExp
  readonly format: OutputFormat
  /** Words that make its output readable; added to whatever else it is called with. */
  readonly reporter: readonly string[]
  /** How it is called without a script. */
  readonly plain: readonly string[]
  narrow?(filter: string): string[]
  /** Files that mean it is used. */
  readonly configs?: RegExp
}

/** A file as it is, anything else as the name of a test. */
export const byNameOr = (option: string) => (filter: string) => (isPathLike(filter) ? [filter] : [option, filter])

/** The programs, in the order in which they are looked for. */
export const RUNNERS: readonly Runner[] = [
  {
    name: 'vitest',
    kind: 'test',
    pattern: /\bvitest\b/,
    format: 'jest-json',
    // Both: the first for who watches, the second for us.
    reporter: ['--reporter=default', '--reporter=json'],
    plain: ['run'],
    narrow: byNameOr('-t'),
    configs: /^vitest\.(?:config|workspace)\./,
  },
  {
    name: 'jest',
    kind: 'test',
    pattern: /\bjest\b|\breact-scripts test\b/,
    format: 'jest-json',
    reporter: ['--json', '--testLocationInResults'],
    plain: [],
    narrow: byNameOr('-t'),
    configs: /^jest\.config\./,
  },
  {
    name: 'mocha',
    kind: 'test',
    pattern: /\bmocha\b/,
    format: 'mocha-json',
    reporter: ['--reporter', 'json'],
    plain: [],
    narrow: byNameOr('--grep'),
    configs: /^\.mocharc\./,
  },
  {
    name: 'node --test',
    kind: 'test',
    pattern: /\bnode\b.*\s--test\b/,
    format: 'any',
    reporter: [],
    plain: ['--test'],
  },
  { name: 'bun test', kind: 'test', pattern: /\bbun test\b/, format: 'any', reporter: [], plain: ['test'] },
  {
    name: 'eslint',
    kind: 'lint',
    pattern: /\beslint\b/,
    format: 'problems',
    reporter: ['--format', 'json'],
    plain: ['.'],
    configs: /^(?:eslint\.config\.|\.eslintrc)/,
  },
  {
    name: 'biome',
    kind: 'lint',
    pattern: /\bbiome\b/,
    format: 'problems',
    reporter: [],
    plain: ['check', '.'],
    configs: /^biome\.jsonc?$/,
  },
  {
    name: 'tsc',
    kind: 'types',
    pattern: /\b(?:vue-)?tsc\b/,
    format: 'problems',
    reporter: [],
    plain: ['--noEmit', '--pretty', 'false'],
    configs: /^tsconfig\.json$/,
  },
]
