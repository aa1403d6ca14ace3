import { LogError } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findSession } from '../sessions/find-session.ts'
import { listSessions, sessionsDirectory } from '../sessions/list-sessions.ts'
import { resetSession } from '../sessions/reset-session.ts'
import { printable } from '../terminal/printable.ts'

/** `maru reset`: the model forgets the conversation, the log does not. */
export const reset = defineCommand({
  usage: ['reset [SESSION]', 'reset --all'],
  details: 'reset.details',
  options: { all: { kind: 'flag', summary: 'option.reset-all' } },
  positionals: [{ name: 'SESSION', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { options, positionals, json, stdout, stderr, t } = invocation
    const [name] = positionals
    if (options.all && name !== undefined) throw usageError(t('reset.both'))
    const sessions = await (options.all ? everySession(invocation) : [await findSession(invocation, name)])
    const done: string[] = []
    const left: { id: string; code: string; reason: string }[] = []
    for (const session of sessions) {
      try {
        if (await resetSession(session)) done.push(session.id)
      } catch (error) {
        if (!(error instanceof LogError)) throw error
        left.push({ id: session.id, code: error.code, reason: error.message })
      } finally {
        await session.log.close()
      }
    }
    if (json) await stdout.line(JSON.stringify({ reset: done, left }))
    else {
      await stdout.line(done.length > 0 ? t('reset.done', { count: done.length }) : t('reset.nothing'))
      for (const { id, reason } of left) {
        await stderr.line(t('sessions.kept', { id: printable(id), reason: printable(reason) }))
      }
    }
    return left.length > 0 ? EXIT.failed : EXIT.done
  },
})

async function everySession(invocation: Invocation) {
  const directory = sessionsDirectory(invocation)
  const rows = await listSessions(invocation)
  return rows.map(({ id }) => ({ ...openJsonlStore({ directory, now: Date.now }), directory, id }))
}
