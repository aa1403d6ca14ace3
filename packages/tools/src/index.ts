export { applyPatch } from './apply-by-hand.ts'
export { createTools, type ToolsOptions } from './create-tools.ts'
