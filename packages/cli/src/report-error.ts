import type { LogError } from '@maru/protocol'
import { CliError } from './cli-error.ts'
import { ConfigError } from './config/config-error.ts'
import type { Desk } from './desk.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { printable } from './terminal/printable.ts'
import { findReason } from './terminal/tell-errno.ts'

/** Says what went wrong: one line on stderr, and with `--json` one on stdout. Expected or not, nothing gets past it. */
export async function reportError(error: unknown, desk: Desk): Promise<ExitCode> {
  const { errorStyle, json, signal, stderr, stdout, verbose } = desk
  if (signal.aborted) return EXIT.interrupted
  const { code, details, exit, message } = explainError(error, desk)
  const line = printable(message)
  if (json) {
    await stdout.line(
      JSON.stringify({ type: 'error', code, message: line, ...(details.length > 0 ? { details } : {}) }),
    )
  }
  await stderr.line(`${errorStyle.red('maru:')} ${line}`)
  if (verbose) for (const detail of details) await stderr.line(`  ${printable(detail)}`)
  return exit
}

type Speaker = Pick<Desk, 't' | 'verbose'>

/** What an error says to a person, and to a script. */
export function explainError(error: unknown, desk: Speaker) {
  if (error instanceof CliError || error instanceof ConfigError) return error
  if (isLogError(error)) return ofLog(error, desk)
  return ofSystem(error, desk) ?? unexpected(error, desk)
}

// By its name: an error of the log must not make every start pay for loading the protocol.
function isLogError(error: unknown): error is LogError {
  return error instanceof Error && error.name === 'LogError'
}

function ofLog(error: LogError, { t }: Speaker) {
  const message = t(`log.${error.code}`, { message: error.message })
  return { code: `log-${error.code}`, exit: EXIT.failed, message, details: [] }
}

// What is not there, or is something else than we thought, should have been looked at before.
const OURS: ReadonlySet<string> = new Set(['ENOENT', 'EISDIR'])

// What the machine refuses is no fault of ours, wherever it shows.
function ofSystem(error: unknown, { t }: Speaker) {
  if (!(error instanceof Error)) return undefined
  const { code = '', path } = error as NodeJS.ErrnoException
  const reason = OURS.has(code) ? undefined : findReason(error, t)
  if (reason === undefined || path === undefined) return undefined
  const message = t('cli.unusable', { path, reason })
  return { code: 'unusable', exit: EXIT.failed, message, details: [error.message] }
}

function unexpected(error: unknown, { t, verbose }: Speaker) {
  const message = error instanceof Error ? error.message : String(error)
  const stack = verbose && error instanceof Error ? (error.stack ?? '').split('\n').slice(1) : []
  const details = stack.map((line) => line.trim())
  return { code: 'internal', exit: EXIT.failed, message: t('cli.internal', { message }), details }
}
