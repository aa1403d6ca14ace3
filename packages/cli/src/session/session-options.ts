import { MODES, PROVIDERS } from '../config/choices.ts'
import type { OptionTable } from '../option.ts'

/** Options of every command that talks to a model. */
export const modelOptions = {
  provider: { kind: 'value', value: 'NAME', choices: PROVIDERS, summary: 'option.provider' },
  model: { kind: 'value', value: 'NAME', summary: 'option.model' },
  'base-url': { kind: 'value', value: 'URL', summary: 'option.base-url' },
  effort: { kind: 'value', value: 'LEVEL', summary: 'option.effort' },
  session: { kind: 'value', value: 'FILE|ID', summary: 'option.session' },
  continue: { kind: 'flag', summary: 'option.continue' },
  resume: { kind: 'optional-value', value: 'ID', summary: 'option.resume' },
  'output-schema': { kind: 'value', value: 'FILE', summary: 'option.output-schema' },
} as const satisfies OptionTable

/** And of those that let it act. */
export const agentOptions = {
  ...modelOptions,
  mode: { kind: 'value', value: 'MODE', choices: MODES, summary: 'option.mode' },
  yes: { kind: 'flag', summary: 'option.yes' },
  'dry-run': { kind: 'flag', summary: 'option.dry-run' },
  'max-turns': { kind: 'value', value: 'N', summary: 'option.max-turns' },
} as const satisfies OptionTable
