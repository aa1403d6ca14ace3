import { defineCommand } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { serverOptions } from '../remote/reach.ts'

/** `maru attach`: the terminal as one more door to a session that a server runs. */
export const attach = defineCommand({
  usage: ['attach [ID]', 'attach [ID] --url URL --token-file FILE'],
  details: 'remote.details',
  options: { ...serverOptions, plain: { kind: 'flag', summary: 'option.plain' } },
  positionals: [{ name: 'ID', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { runAttach } = await import('../remote/attach/run-attach.ts')
    return runAttach(invocation, { isPlain: invocation.options.plain })
  },
})
