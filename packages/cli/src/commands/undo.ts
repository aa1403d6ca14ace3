import { randomUUID } from 'node:crypto'
import type { FileChange } from '@maru/protocol'
import { CliError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { person } from '../session/door.ts'
import { agentOptions } from '../session/session-options.ts'
import { printable } from '../terminal/printable.ts'
import { type FoundRun, findRun, undoPlace } from '../undo/find-run.ts'

export const undo = defineCommand({
  usage: ['undo [RUN]'],
  details: 'undo.details',
  options: {
    check: { kind: 'flag', summary: 'option.check' },
    force: { kind: 'list', value: 'PATH', summary: 'option.force' },
    session: agentOptions.session,
  },
  positionals: [{ name: 'RUN', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { options, positionals, signal, stdout, json, t } = invocation
    const found = await findRun(invocation, { run: positionals[0], session: options.session })
    const place = undoPlace(invocation, found.session)
    try {
      const undone = await place.undo(found.run, { signal, overwrite: options.force, dryRun: options.check })
      if ('problem' in undone) throw new CliError(undone.problem.code, undone.problem.message)
      if (!options.check && undone.restored.length > 0) await record(found, undone.restored)
      if (json) await stdout.line(JSON.stringify({ run: found.run.runId, ...undone }))
      else await show(found, undone, invocation)
      if (undone.left.length === 0) return EXIT.done
      await invocation.notice(t('undo.left', { count: undone.left.length }))
      return EXIT.failed
    } finally {
      await place.close()
      await found.session.log.close()
    }
  },
})

async function record({ session, run }: FoundRun, files: FileChange[]): Promise<void> {
  const key = randomUUID()
  await session.log.admit(session.id, { type: 'files-restore', key, by: person, runId: run.runId, files })
}

async function show(
  { run }: FoundRun,
  { restored, left }: { restored: FileChange[]; left: { path: string; why: string }[] },
  { stdout, style, t }: Invocation,
): Promise<void> {
  await stdout.line(t('undo.run', { run: run.runId, task: printable(run.task).slice(0, 60) }))
  for (const [path, sign] of signsOf(restored)) await stdout.line(`  ${sign} ${printable(path)}`)
  for (const { path, why } of left) await stdout.line(`  ${style.yellow('!')} ${printable(path)}: ${reasonOf(why, t)}`)
}

// A file that several calls changed is named once: as it was found, and as it is again.
function signsOf(restored: FileChange[]): Map<string, string> {
  const ends = new Map<string, FileChange>()
  for (const change of restored) ends.set(change.path, { ...change, ...pick(ends.get(change.path)) })
  return new Map(
    [...ends].map(([path, { before, after }]) => [path, before === undefined ? '+' : after === undefined ? '-' : '~']),
  )
}

function pick(first: FileChange | undefined): { before?: string } {
  return first?.before === undefined ? {} : { before: first.before }
}

function reasonOf(why: string, t: Invocation['t']): string {
  return why === 'changed-since' ? t('undo.changed-since') : t('undo.not-kept')
}
