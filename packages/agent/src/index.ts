export { checkArguments, findMisfit } from './check-arguments.ts'
export { compactSession } from './context/compact-session.ts'
export { type ContextMessage, type ContextState, context } from './context/context.ts'
export { CONTEXT_KINDS, type ContextKind, type ContextPortrait, describeContext } from './context/describe-context.ts'
export { CONTEXT_LIMIT, type ContextSettings, NOTICE_AT } from './context/settings.ts'
export type { Decision, JudgedCall, Limits, SessionDeps, Settings, Snapshots } from './deps.ts'
export { beginning, createExcerpt, cutMiddle, type Excerpt } from './excerpt.ts'
export { systemPrompt } from './prompt.ts'
export { RESULT_LIMIT, renderResult, shareLimit, TEXT_LIMIT } from './render-result.ts'
export { toModelMessages } from './request.ts'
export { runSession } from './run-session.ts'
export {
  type ContextWindow,
  contextWindow,
  estimateTokens,
  type Placed,
  type StoredSummary,
  type WindowOptions,
} from './summarise/context-window.ts'
export type { ReadBlob, Spoken } from './summarise/render-conversation.ts'
export { needsSummary, type SummariseOptions, type Summary, summarise } from './summarise/summarise.ts'
export { type GaugeState, gauge, tokensOf } from './tokens/gauge.ts'
export { type Difference, type VerifyDeps, verifySession } from './verify.ts'
export { actionKey, addUsage, type CallState, type WorkState, work } from './work.ts'
