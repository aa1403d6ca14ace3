import { LogError } from '@maru/protocol'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import type { OpenSession } from '../session/open-session.ts'
import { tellLeft } from '../sessions/actions/delete.ts'
import type { Deleted } from '../sessions/delete-sessions.ts'
import { findSession } from '../sessions/find-session.ts'
import { resetSession } from '../sessions/reset-session.ts'

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
    const { done, left } = options.all
      ? await resetEvery(invocation)
      : await resetEach([await findSession(invocation, name)])
    if (json) await stdout.line(JSON.stringify({ reset: done, left }))
    else {
      await stdout.line(done.length > 0 ? t('reset.done', { count: done.length }) : t('reset.nothing'))
      for (const one of left) await stderr.line(tellLeft(one, t))
    }
    return left.length > 0 ? EXIT.failed : EXIT.done
  },
})

interface Done {
  done: string[]
  left: Deleted['left']
}

async function resetEvery(invocation: Invocation): Promise<Done> {
  const { openEverywhere } = await import('../remote/served-rows.ts')
  const { rows, isWhole, open, close } = await openEverywhere(invocation)
  try {
    if (!isWhole) await invocation.notice(invocation.t('sessions.not-history'))
    return await resetEach(rows.map(open))
  } finally {
    await close()
  }
}

async function resetEach(sessions: readonly OpenSession[]): Promise<Done> {
  const done: string[] = []
  const left: Deleted['left'] = []
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
  return { done, left }
}
