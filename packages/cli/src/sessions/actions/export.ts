import { createWriteStream } from 'node:fs'
import { extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliError, usageError } from '../../cli-error.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import type { OpenSession } from '../../session/open-session.ts'
import { printable } from '../../terminal/printable.ts'
import { copyBlobs } from '../export/copy-blobs.ts'
import { exportSession } from '../export/export-session.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../export/exported.ts'
import { findSession } from '../find-session.ts'
import type { SessionsInvocation } from '../options.ts'

/** Writes a session as a document, to stdout or into a new file. */
export async function exportOne(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, options, t, lang, stdout, signal } = invocation
  const format = chooseFormat(invocation)
  const session = await findSession(invocation, positionals[1])
  try {
    const pieces = exportSession(session, { format, hasMetadata: options.metadata, t, lang })
    if (options.output !== undefined && options.output !== '-') {
      return await writeFile(invocation, session, { pieces, format, output: options.output })
    }
    for await (const piece of inParts(pieces)) {
      if (signal.aborted) return EXIT.interrupted
      await stdout.write(piece)
    }
    return EXIT.done
  } finally {
    await session.log.close()
  }
}

// `--json` means JSON and nothing else: on stdout, only what is JSON can be asked for with it.
function chooseFormat({ options, json, t }: SessionsInvocation): ExportFormat {
  const { format, output } = options
  const ending = extname(output ?? '').slice(1)
  const chosen = format ?? EXPORT_FORMATS.find((one) => one === ending) ?? (json ? 'json' : 'md')
  const isFile = output !== undefined && output !== '-'
  if (json && !isFile && chosen !== 'json' && chosen !== 'jsonl') {
    throw usageError(t('export.no-json', { format: chosen }))
  }
  return chosen
}

async function writeFile(
  { cwd, json, stdout, signal, t }: SessionsInvocation,
  session: OpenSession,
  { pieces, format, output }: { pieces: AsyncIterable<string>; format: ExportFormat; output: string },
): Promise<ExitCode> {
  const path = resolve(cwd, output)
  try {
    await pipeline(Readable.from(inParts(pieces)), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    // Beside its content a log is whole: it can be replayed, verified and gone on with where it is.
    if (format === 'jsonl') await copyBlobs(session, path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (signal.aborted) return EXIT.interrupted
    if (code === undefined) throw error
    const reason = code === 'EEXIST' ? t('export.exists') : printable(message)
    throw new CliError('not-written', t('export.not-written', { path: printable(path), reason }), { cause: error })
  }
  if (json) await stdout.line(JSON.stringify({ session: session.id, format, file: path }))
  else await stdout.line(t('export.written', { path: printable(path) }))
  return EXIT.done
}

const PART_UNITS = 64 * 1024

// Many small pieces are slow to write one by one.
async function* inParts(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let part = ''
  for await (const piece of pieces) {
    part += piece
    if (part.length < PART_UNITS) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}
