import { defineCommand } from '../command.ts'
import { readTask } from '../session/read-task.ts'
import { modelOptions } from '../session/session-options.ts'
import { exitOf, startWork } from '../session/work-on.ts'

export const ask = defineCommand({
  usage: ['ask "QUESTION"', 'ask -'],
  options: modelOptions,
  positionals: [{ name: 'QUESTION', optional: true, many: true }],
  async run(invocation) {
    const { options } = invocation
    const question = await readTask('ask', invocation)
    const { session, resume, continue: latest } = options
    const outputSchema = options['output-schema']
    const work = await startWork(invocation, { hasTools: false, session, resume, continue: latest, outputSchema })
    try {
      return await exitOf(invocation, await work.say(question))
    } finally {
      await work.close()
    }
  },
})
