import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { type Settings, VARIABLES } from '../config/settings.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'

const KEY_COMMAND_MS = 10_000

/** The vendor's key, from where the settings say it is. A server of one's own needs none. */
export async function readKey({ keys, provider, baseUrl }: Settings, { t }: Invocation): Promise<string> {
  const key = keys[provider]
  if (typeof key === 'string') return key
  if (key === undefined) {
    if (provider === 'openai-chat' && baseUrl !== undefined) return 'none'
    const variable = VARIABLES[provider].key
    throw new CliError('no-key', t('session.no-key', { provider, variable }), { exit: EXIT.usage })
  }
  try {
    const { execFile } = await import('node:child_process')
    const { promisify } = await import('node:util')
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', key.command], { timeout: KEY_COMMAND_MS })
    return stdout.trim()
  } catch (error) {
    const reason = printable(String((error as { stderr?: string }).stderr || (error as Error).message).trim())
    throw new CliError('no-key', t('session.key-command', { provider, reason }), { exit: EXIT.usage, cause: error })
  }
}
