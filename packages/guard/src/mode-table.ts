import type { Situation, Verdict } from './situation.ts'

/** One kind of access and what each column makes of it. `what` completes "the call …". */
export interface Row {
  readonly rule: `built-in/${string}`
  readonly what: string
  readonly cells: readonly [Verdict, Verdict, Verdict, Verdict, Verdict, Verdict]
}

/** The columns of the table, in the order of a row's cells. */
export const COLUMNS = ['ask+sandbox', 'ask', 'auto+sandbox', 'auto', 'read-only', 'yes'] as const
export type Column = (typeof COLUMNS)[number]

// Short, so that the table is seen as one.
const yes = 'allow'
const ask = 'ask'
const no = 'deny'

/**
 * The built-in policy as data, from the mildest row to the gravest: where two rows give the same verdict, the later
 * one is named. `hostile` is what attackers do and developers need not: code that runs later or by a hidden way, code
 * that nobody has read, secrets that are sent away.
 */
export const MODE_TABLE = [
  { rule: 'built-in/nothing', what: 'touches nothing', cells: [yes, yes, yes, yes, yes, yes] },
  { rule: 'built-in/question', what: 'asks the person something', cells: [yes, yes, yes, yes, yes, yes] },
  { rule: 'built-in/read', what: 'reads inside the workspace', cells: [yes, yes, yes, yes, yes, yes] },
  // Its values are masked.
  { rule: 'built-in/secret', what: 'reads a file that holds secrets', cells: [yes, yes, yes, yes, yes, yes] },
  { rule: 'built-in/read-only-command', what: 'runs a command that only reads', cells: [yes, yes, yes, yes, yes, yes] },
  { rule: 'built-in/edit', what: 'makes a small edit', cells: [yes, yes, yes, yes, no, yes] },
  { rule: 'built-in/test-command', what: 'runs a test or check script', cells: [yes, ask, yes, ask, no, yes] },
  { rule: 'built-in/create', what: 'creates a file', cells: [ask, ask, yes, ask, no, yes] },
  { rule: 'built-in/delete', what: 'deletes a file', cells: [ask, ask, yes, ask, no, yes] },
  { rule: 'built-in/reach', what: 'changes many files or lines', cells: [ask, ask, yes, ask, no, yes] },
  { rule: 'built-in/command', what: 'runs a command that may change something', cells: [ask, ask, yes, ask, no, yes] },
  { rule: 'built-in/secret-command', what: 'reads a secret file by a command', cells: [ask, ask, ask, ask, no, yes] },
  { rule: 'built-in/irreversible', what: 'destroys what undo cannot restore', cells: [ask, ask, ask, ask, no, yes] },
  { rule: 'built-in/network', what: 'reaches into the network', cells: [ask, ask, ask, ask, no, yes] },
  { rule: 'built-in/foreign-tool', what: 'uses a tool from outside', cells: [ask, ask, ask, ask, no, yes] },
  { rule: 'built-in/other', what: 'does something no other rule knows', cells: [ask, ask, ask, ask, no, yes] },
  { rule: 'built-in/protected', what: 'writes a protected file', cells: [ask, ask, ask, ask, no, no] },
  { rule: 'built-in/git', what: 'writes into .git with a file tool', cells: [no, no, no, no, no, no] },
  { rule: 'built-in/outside', what: 'leaves the workspace', cells: [no, no, no, no, no, no] },
  { rule: 'built-in/hostile', what: 'works as attacks do', cells: [no, no, no, no, no, no] },
  { rule: 'built-in/privilege', what: 'asks for more privilege', cells: [no, no, no, no, no, no] },
  { rule: 'built-in/catastrophe', what: 'could destroy the machine', cells: [no, no, no, no, no, no] },
] as const satisfies readonly Row[]

/** The stable name of a row. */
export type RuleId = (typeof MODE_TABLE)[number]['rule']

/** The column that a situation is judged by. */
export function columnOf({ mode, sandbox }: Situation): Column {
  return (mode === 'ask' || mode === 'auto') && sandbox === 'full' ? `${mode}+sandbox` : mode
}
