import type { Json } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { changeUserConfig } from './change-user-config.ts'
import { appendItems } from './edit-config.ts'

/** Adds rules to the user's own file, behind those that are there. */
export async function rememberRules(invocation: Invocation, rules: readonly Json[]): Promise<void> {
  const changed = await changeUserConfig(invocation, (text) => ({ text: appendItems(text, 'rules', rules) }))
  if ('file' in changed) await invocation.notice(invocation.t('config.written', { key: 'rules', file: changed.file }))
}
