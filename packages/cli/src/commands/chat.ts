import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { CliError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { modelOptions } from '../session/session-options.ts'
import { exitOf, startWork } from '../session/work-on.ts'
import { printable } from '../terminal/printable.ts'

// A conversation has no one answer that a schema could be for.
const { 'output-schema': _structured, ...options } = modelOptions

export const chat = defineCommand({
  usage: ['chat'],
  options,
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    const { options: given, stdin, stderr, t, signal, isInteractive, notice } = invocation
    const { session, resume, continue: latest } = given
    const work = await startWork(invocation, { hasTools: false, session, resume, continue: latest })
    if (isInteractive) await notice(t('chat.hello'))
    const prompt = () => (isInteractive ? stderr.write('› ') : undefined)
    let code: ExitCode = EXIT.done
    // A request that failed is no reason to stop talking.
    const onFailure = async (error: unknown): Promise<ExitCode> => {
      if (!(error instanceof CliError && error.code === 'failed')) throw error
      await stderr.line(`maru: ${printable(error.message)}`)
      return EXIT.failed
    }
    try {
      await prompt()
      for await (const line of createInterface({ input: Readable.from(stdin), signal })) {
        if (line.trim() === '' && isInteractive) break
        if (line.trim() === '') continue
        code = await exitOf(invocation, await work.say(line)).catch(onFailure)
        if (signal.aborted) break
        await prompt()
      }
      return code
    } finally {
      await work.close()
    }
  },
})
