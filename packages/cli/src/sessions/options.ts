import type { Invocation } from '../command.ts'
import type { OptionTable } from '../option.ts'

/** The options of `maru sessions`; which of them an action takes stands in `ACTIONS`. */
export const sessionsOptions = {
  all: { kind: 'flag', summary: 'option.all' },
  limit: { kind: 'value', value: 'N', summary: 'option.most' },
  search: { kind: 'value', value: 'WORDS', summary: 'option.search' },
  format: {
    kind: 'value',
    value: 'FORMAT',
    choices: ['md', 'json', 'txt', 'jsonl', 'html'],
    summary: 'option.format',
  },
  metadata: { kind: 'flag', summary: 'option.metadata' },
  output: { kind: 'value', value: 'FILE', summary: 'option.output' },
  at: { kind: 'value', value: 'SEQ|TURN', summary: 'option.at' },
  title: { kind: 'value', value: 'TITLE', summary: 'option.title' },
  files: { kind: 'flag', summary: 'option.files' },
  worktree: { kind: 'optional-value', value: 'DIR', summary: 'option.worktree' },
  'older-than': { kind: 'value', value: 'AGE', summary: 'option.older-than' },
  keep: { kind: 'value', value: 'N', summary: 'option.keep' },
  words: { kind: 'value', value: 'N', summary: 'option.words' },
  yes: { kind: 'flag', summary: 'option.sure' },
  'dry-run': { kind: 'flag', summary: 'option.dry-run' },
} as const satisfies OptionTable

export type SessionsInvocation = Invocation<typeof sessionsOptions>

/** What each action takes: its options, and how many sessions may be named. */
export const ACTIONS = {
  list: { options: ['all', 'limit', 'search'], most: 0 },
  show: { options: [], most: 1 },
  export: { options: ['format', 'metadata', 'output'], most: 1 },
  fork: { options: ['at', 'title', 'files', 'worktree', 'yes'], most: 1 },
  summarise: { options: ['words'], most: 1 },
  delete: { options: ['yes', 'dry-run'], most: Number.POSITIVE_INFINITY },
  prune: { options: ['all', 'older-than', 'keep', 'yes', 'dry-run'], most: 0 },
} as const satisfies {
  [action: string]: { options: readonly (keyof typeof sessionsOptions)[]; most: number }
}

export type Action = keyof typeof ACTIONS
