import type { Lang, PlainKey, Translator } from '@maru/i18n'
import type { LoadedConfig } from './config/load-config.ts'
import type { Environment } from './environment.ts'
import type { ExitCode } from './exit-code.ts'
import type { GlobalOptions, Options, OptionTable } from './option.ts'
import type { Output } from './terminal/output.ts'
import type { Style } from './terminal/style.ts'

/** An argument by its place. Only the last may repeat, and none may follow an optional one that it does not share. */
export interface Positional {
  /** As in the usage line: `FILE|ID`. */
  readonly name: string
  readonly optional?: boolean
  readonly many?: boolean
  readonly choices?: readonly string[]
}

/** A command as data plus the one function that does it. Its name and summary stand in the registry. */
export interface Command<Table extends OptionTable = OptionTable> {
  /** What may follow `maru`: one line per form, as in `config get KEY`. */
  readonly usage: readonly string[]
  /** Its own options; the global ones come on top. */
  readonly options: Table
  readonly positionals: readonly Positional[]
  /** A few sentences under the summary, where that is not enough; wrapped to the width of help. */
  readonly details?: PlainKey
  run(invocation: Invocation<Table>): Promise<ExitCode>
}

/** A command as the list of commands needs it; the rest is loaded when it is called. */
export interface CommandEntry {
  readonly summary: PlainKey
  load(): Promise<Command>
}

/** Everything a command may touch: nothing else reaches the process, so that tests can run commands in theirs. */
export interface Invocation<Table extends OptionTable = OptionTable> {
  readonly options: Options<Table> & GlobalOptions
  readonly positionals: readonly string[]
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  readonly cwd: string
  /** `$MARU_HOME`, absolute. It may not exist yet. */
  readonly home: string
  /** Aborted by an interrupt, and when nobody reads stdout any more. */
  readonly signal: AbortSignal
  readonly lang: Lang
  readonly t: Translator
  /** Colours for stdout; plain text where colours are not wanted. */
  readonly style: Style
  /** A person sits at both ends and can be asked. */
  readonly isInteractive: boolean
  /** stdout carries JSON and nothing else. */
  readonly json: boolean
  /** A line on stderr for people; nothing with `--quiet`. */
  notice(line: string): Promise<void>
  /** The repository's root: `--repo` or the current directory, or the git root around it. */
  repo(): string
  /** Both config files, read and checked once; a `ConfigError` names what is wrong in them. */
  config(): Promise<LoadedConfig>
}

/** Fixes a command's option types by its own table. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command<Table> {
  return command
}
