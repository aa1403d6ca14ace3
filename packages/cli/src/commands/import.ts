import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { type ImportReport, importFile } from '@maru/store'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findFiles } from '../history/find-files.ts'
import { openImportMask } from '../history/import-mask.ts'
import { type OpenedHistory, openHistoryFor } from '../history/open-history-for.ts'
import { createProgress, drawBar } from '../history/progress.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'

const options = { 'dry-run': { kind: 'flag', summary: 'option.dry-run' } } as const

/** `maru import`: brings what was said elsewhere into the history. */
export const importCommand = defineCommand({
  usage: ['import FILE… [--dry-run]'],
  details: 'import.details',
  options,
  positionals: [{ name: 'FILE', many: true }],
  async run(invocation): Promise<ExitCode> {
    const files = await filesOf(invocation)
    const server = await findServer(invocation, PATIENT_MS)
    if (server) {
      const { uploadAll } = await import('../remote/upload.ts')
      return uploadAll(invocation, { server, files, isDry: invocation.options['dry-run'] })
    }
    const mask = await openImportMask(invocation)
    const opened = await openHistoryFor(invocation, { mask })
    try {
      let problems = 0
      const indexing = createProgress(invocation)
      const work = async () => {
        for (const file of files) {
          const report = await importOne(invocation, opened, { file, mask })
          if (invocation.signal.aborted) return
          problems += report.problems
          await tell(invocation, file, report)
        }
      }
      if (invocation.options['dry-run']) await work()
      else {
        const onIndex = () => indexing.show(invocation.t('import.indexing'))
        await opened.history.inBulk(work, { bytes: await textIn(files), onIndex })
        indexing.end()
      }
      if (invocation.signal.aborted) return EXIT.interrupted
      return problems === 0 ? EXIT.done : EXIT.failed
    } finally {
      await opened.close()
    }
  },
})

type ImportInvocation = Invocation<typeof options>

async function filesOf({ cwd, positionals, t }: ImportInvocation): Promise<string[]> {
  const files: string[] = []
  for (const name of positionals) {
    const path = resolve(cwd, name)
    const found = await stat(path).catch(() => undefined)
    if (!found) throw usageError(t('import.no-file', { file: printable(name) }))
    if (found.isDirectory()) files.push(...(await findFiles(path, /\.(jsonl|json|zip|csv|sql)$/)))
    else files.push(path)
  }
  return files
}

// An archive is about a third of what it holds, and half of that is text.
async function textIn(files: string[]): Promise<number> {
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size * (file.endsWith('.zip') ? 3 : 1)
  return bytes / 2
}

async function importOne(
  invocation: ImportInvocation,
  { own }: OpenedHistory,
  { file, mask }: { file: string; mask(text: string): string },
): Promise<ImportReport> {
  const { cwd, json, options: given, signal, stderr, stdout, t } = invocation
  const progress = createProgress(invocation)
  const name = printable(relative(cwd, file) || file)
  let told: Promise<unknown> = Promise.resolve()
  try {
    const report = await importFile(file, {
      own,
      mask,
      signal,
      now: Date.now,
      isDry: given['dry-run'],
      isSensitive: (text) => mask(text) !== text,
      onProgress: ({ done, total }) => progress.show(drawBar(name, { done, total })),
      onProblem: ({ place, reason }) => {
        const values = { file: name, place: printable(place), reason: printable(reason) }
        progress.end()
        const line = json ? JSON.stringify({ type: 'problem', file, place, reason }) : t('import.problem', values)
        told = told.then(() => (json ? stdout.line(line) : stderr.line(line)))
      },
    })
    await told
    return report
  } finally {
    progress.end()
  }
}

async function tell(invocation: ImportInvocation, file: string, report: ImportReport): Promise<void> {
  const { cwd, json, options: given, stdout, t } = invocation
  const isDry = given['dry-run']
  if (json) {
    await stdout.line(JSON.stringify({ type: 'imported', file, dryRun: isDry, ...report }))
    return
  }
  const { added, grown, same, messages, sensitive, problems, format } = report
  const values = { file: printable(relative(cwd, file) || file), format, added, grown, same, messages }
  await stdout.line(isDry ? t('import.would', values) : t('import.done', values))
  if (sensitive > 0) await invocation.notice(t('import.sensitive', { n: sensitive }))
  if (problems > 0) await invocation.notice(t('import.problems', { n: problems }))
}
