import { defineCommand } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { findRun, undoPlace } from '../undo/find-run.ts'

export const diff = defineCommand({
  usage: ['diff [--since RUN]'],
  details: 'diff.details',
  options: {
    since: { kind: 'value', value: 'RUN', summary: 'option.since-run' },
    session: { kind: 'value', value: 'FILE|ID', summary: 'option.of-session' },
  },
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    const { options, stdout, json, signal } = invocation
    const { session, runs, run } = await findRun(invocation, { run: options.since, session: options.session })
    const place = undoPlace(invocation, session)
    try {
      const text = await place.diff(runs.slice(runs.indexOf(run)), signal)
      if (json) await stdout.line(JSON.stringify({ run: run.runId, diff: text }))
      else if (text !== '') await stdout.line(printable(text, { keepLines: true }))
      return EXIT.done
    } finally {
      await place.close()
      await session.log.close()
    }
  },
})
