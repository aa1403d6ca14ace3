export { type Decision, decide, type ReasonKey } from './decide.ts'
export { changesScripts, isInsideGit, type Mark, markOf } from './marks.ts'
export { COLUMNS, type Column, columnOf, MODE_TABLE, type Row, type RuleId } from './mode-table.ts'
export type { Situation, Verdict } from './situation.ts'
