import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { defineCommand } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { modelOptions } from '../session/session-options.ts'
import { exitOf, startWork } from '../session/work-on.ts'

export const chat = defineCommand({
  usage: ['chat'],
  options: modelOptions,
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    const { options, stdin, stderr, t, signal, isInteractive, notice } = invocation
    const { session, resume, continue: latest } = options
    const work = await startWork(invocation, { hasTools: false, session, resume, continue: latest })
    if (isInteractive) await notice(t('chat.hello'))
    const prompt = () => (isInteractive ? stderr.write('› ') : undefined)
    let code: ExitCode = EXIT.done
    try {
      await prompt()
      for await (const line of createInterface({ input: Readable.from(stdin), signal })) {
        if (line.trim() === '') break
        code = await exitOf(invocation, await work.say(line))
        if (signal.aborted) break
        await prompt()
      }
      return code
    } finally {
      await work.close()
    }
  },
})
