import type { Command, Invocation } from '../../command.ts'
import { globalOptions, type OptionTable } from '../../option.ts'
import type { ParsedValue } from '../../parse-arguments.ts'
import type { Output } from '../../terminal/output.ts'
import type { SlashPlace } from './slash.ts'

/** What a command of `maru` is given besides what the conversation knows. */
export interface Borrowed {
  readonly positionals?: readonly string[]
  readonly options?: { readonly [name: string]: ParsedValue }
}

/** Runs a command of `maru` for the conversation that is open; gives its lines instead of printing them. */
export async function borrowCommand<Table extends OptionTable>(
  command: Command<Table>,
  { conversation, invocation }: SlashPlace,
  { positionals = [], options = {} }: Borrowed = {},
): Promise<string[]> {
  let text = ''
  const write = async (more: string | Uint8Array) => {
    text += typeof more === 'string' ? more : new TextDecoder().decode(more)
  }
  const output: Output = {
    isTerminal: invocation.stdout.isTerminal,
    columns: invocation.stdout.columns,
    write,
    line: (line = '') => write(`${line}\n`),
  }
  const borrowed = Object.create(invocation, {
    stdout: { value: output },
    stderr: { value: output },
    json: { value: false },
    positionals: { value: positionals },
    options: { value: { ...defaultsOf({ ...globalOptions, ...command.options }), ...options } },
    notice: { value: output.line },
    // As it is chosen here, which no file knows.
    config: {
      value: async () => {
        const config = await invocation.config()
        const { mode, model, provider } = conversation.settings
        return { ...config, settings: { ...config.settings, mode, model, provider } }
      },
    },
  }) as Invocation<Table>
  await command.run(borrowed)
  return text.trimEnd().split('\n')
}

function defaultsOf(table: OptionTable): { [name: string]: ParsedValue } {
  return Object.fromEntries(
    Object.entries(table).map(([name, { kind }]) => [name, kind === 'flag' ? false : kind === 'list' ? [] : undefined]),
  )
}
