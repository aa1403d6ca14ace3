export { createTools, type ToolsOptions } from './create-tools.ts'
