import { createReadStream } from 'node:fs'
import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { ApiError } from '@maru/client'
import type { api } from '@maru/protocol'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { linesOf } from '../history/lines-of.ts'
import { createProgress, drawBar } from '../history/progress.ts'
import { printable } from '../terminal/printable.ts'
import type { FoundServer } from './find-server.ts'
import { fetchFor, toCliError } from './open-link.ts'

interface Uploads {
  readonly server: FoundServer
  readonly files: readonly string[]
  readonly isDry: boolean
}

/** Lets the server that holds the history read files into it. */
export async function uploadAll(invocation: Invocation, { server, files, isDry }: Uploads): Promise<ExitCode> {
  const { t, signal } = invocation
  if (isDry)
    throw new CliError('not-here', t('remote.no-dry-run', { url: printable(server.url) }), { exit: EXIT.usage })
  let problems = 0
  for (const file of files) {
    if (signal.aborted) return EXIT.interrupted
    const report = await uploadOne(invocation, server, file).catch(toCliError(t))
    problems += report.problems.length
    await tell(invocation, file, report)
  }
  return problems === 0 ? EXIT.done : EXIT.failed
}

type Report = Extract<api.ImportLine, { type: 'report' }>

async function uploadOne(invocation: Invocation, { url, token, cert }: FoundServer, file: string): Promise<Report> {
  const { cwd, signal } = invocation
  const { fetch = globalThis.fetch } = await fetchFor(cert)
  const name = relative(cwd, file) || file
  const target = new URL(`${url}/api/v1/import`)
  target.searchParams.set('name', name.slice(-255))
  const progress = createProgress(invocation)
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
      duplex: 'half',
      signal,
    } as RequestInit)
    if (!response.ok || !response.body) throw await problemOf(response)
    for await (const text of linesOf(Readable.fromWeb(response.body as never))) {
      if (text.trim() === '') continue
      const line = JSON.parse(text) as api.ImportLine
      if (line.type === 'report') return line
      if (line.type === 'problem') throw new ApiError(line.problem)
      progress.show(drawBar(printable(name), { done: line.bytes, total: line.total }))
    }
    throw new CliError('server-cut', invocation.t('remote.unreachable', { url: printable(url) }))
  } finally {
    progress.end()
  }
}

async function problemOf(response: Response): Promise<ApiError> {
  const { status, statusText } = response
  const body = (await response.json().catch(() => ({}))) as Partial<ApiError['problem']>
  return new ApiError({ code: 'http-error', title: statusText, ...body, status })
}

async function tell(
  { cwd, json, notice, stderr, stdout, t }: Invocation,
  file: string,
  { added, grown, same, messages, problems }: Report,
): Promise<void> {
  const name = printable(relative(cwd, file) || file)
  for (const problem of problems) {
    if (json) await stdout.line(JSON.stringify({ type: 'problem', file, reason: problem }))
    else await stderr.line(`${name}: ${printable(problem)}`)
  }
  const counts = { added, grown, same, messages }
  if (json) {
    await stdout.line(JSON.stringify({ type: 'imported', file, dryRun: false, ...counts, problems: problems.length }))
    return
  }
  await stdout.line(t('remote.imported', { file: name, ...counts }))
  if (problems.length > 0) await notice(t('import.problems', { n: problems.length }))
}
