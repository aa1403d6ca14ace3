import { EXIT, type ExitCode } from './exit-code.ts'

/** An expected failure. Its message is one line in the reader's language: what, where and what next. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** Stable, for scripts. */
  readonly code: string
  readonly exit: ExitCode
  /** More of the same, a line each: shown with `--verbose`, and in the `error` line of `--json`. */
  readonly details: readonly string[]

  constructor(
    code: string,
    message: string,
    { exit = EXIT.failed, details = [], cause }: { exit?: ExitCode; details?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.exit = exit
    this.details = details
  }
}

/** The caller asked for something that does not exist. */
export function usageError(message: string): CliError {
  return new CliError('usage', message, { exit: EXIT.usage })
}
