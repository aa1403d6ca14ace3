import { defineCommand } from '../command.ts'
import { readTask } from '../session/read-task.ts'
import { agentOptions } from '../session/session-options.ts'
import { exitOf, startWork } from '../session/work-on.ts'

export const run = defineCommand({
  usage: ['run "TASK"', 'run -', 'run --session FILE|ID'],
  details: 'run.details',
  options: agentOptions,
  positionals: [{ name: 'TASK', optional: true, many: true }],
  async run(invocation) {
    const { options, positionals } = invocation
    const isGoingOn = positionals.length === 0 && Boolean(options.session ?? options.resume ?? options.continue)
    const task = isGoingOn ? undefined : await readTask('run', invocation)
    const work = await startWork(invocation, {
      hasTools: true,
      mustExist: isGoingOn,
      isDryRun: options['dry-run'],
      session: options.session,
      resume: options.resume,
      continue: options.continue,
      outputSchema: options['output-schema'],
    })
    try {
      return await exitOf(invocation, await work.say(task))
    } finally {
      await work.close()
    }
  },
})
