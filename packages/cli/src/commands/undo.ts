import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { hasMoved, movedAway } from '../remote/has-moved.ts'
import type { OpenSession } from '../session/open-session.ts'
import { printable } from '../terminal/printable.ts'
import { drawUndone } from '../undo/draw-undone.ts'
import { type FoundRun, findRun } from '../undo/find-run.ts'
import { type TakenBack, takeBack } from '../undo/take-back.ts'

export const undo = defineCommand({
  usage: ['undo [RUN]'],
  details: 'undo.details',
  options: {
    check: { kind: 'flag', summary: 'option.check' },
    force: { kind: 'list', value: 'PATH', summary: 'option.force' },
    session: { kind: 'value', value: 'FILE|ID', summary: 'option.of-session' },
  },
  positionals: [{ name: 'RUN', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { options, positionals, signal, stdout, json, t } = invocation
    const found = await findRun(invocation, { run: positionals[0], session: options.session })
    try {
      if (!options.check) await expectFree(found.session, invocation)
      const undone = await takeBack(invocation, found, { signal, overwrite: options.force, dryRun: options.check })
      if (json) await stdout.line(JSON.stringify({ run: found.run.runId, ...undone }))
      else await show(found, undone, invocation)
      if (undone.left.length === 0) return EXIT.done
      await invocation.notice(t('undo.left', { count: undone.left.length }))
      return EXIT.failed
    } finally {
      await found.session.log.close()
    }
  },
})

// What a run under way has read, and what it is about to change, would not be there any more.
async function expectFree({ directory, id, isHeld }: OpenSession, { t }: Invocation): Promise<void> {
  const file = join(directory, `${id}.jsonl`)
  if (existsSync(file) && hasMoved(file)) throw movedAway(id, { t })
  if (await isHeld(id)) throw new CliError('log-held', t('undo.held', { id: printable(id) }))
}

async function show({ run }: FoundRun, undone: TakenBack, invocation: Invocation): Promise<void> {
  for (const line of drawUndone({ ...undone, runId: run.runId, task: run.task }, invocation)) {
    await invocation.stdout.line(line)
  }
}
