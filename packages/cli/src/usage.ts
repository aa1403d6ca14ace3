import type { Translator } from '@maru/i18n'
import { type CliError, usageError } from './cli-error.ts'
import type { Positional } from './command.ts'
import { nearest } from './nearest.ts'
import type { OptionTable } from './option.ts'
import type { ArgumentProblem, ParsedArguments } from './parse-arguments.ts'
import { printable } from './terminal/printable.ts'

interface Expected {
  /** Absent before any command. */
  readonly command: string | undefined
  readonly options: OptionTable
  readonly positionals: readonly Positional[]
}

/** Throws the first thing that is wrong with the arguments, saying what was probably meant and where to look. */
export function checkArguments(parsed: ParsedArguments, expected: Expected, t: Translator): void {
  const help = expected.command ? `maru ${expected.command} -h` : 'maru -h'
  const [problem] = parsed.problems
  if (problem) throw usageError(describe(problem, { help, options: expected.options, t }))
  const { positionals } = expected
  const missing = positionals[parsed.positionals.length]
  if (missing && !missing.optional) throw usageError(t('cli.missing', { argument: missing.name, help }))
  const extra = parsed.positionals[positionals.length]
  if (extra !== undefined && !positionals.at(-1)?.many && expected.command) {
    throw usageError(t('cli.too-many', { argument: printable(extra), help }))
  }
  for (const [i, { choices }] of positionals.entries()) {
    const given = parsed.positionals[i]
    if (given === undefined || !choices || choices.includes(given)) continue
    throw usageError(wrongChoice(given, choices, { help, t }))
  }
}

/** No such command: the nearest that exists, and where all of them are listed. */
export function unknownCommand(name: string, known: readonly string[], t: Translator): CliError {
  const meant = nearest(name, known)
  const command = printable(name)
  return usageError(meant ? t('cli.unknown-command-meant', { command, meant }) : t('cli.unknown-command', { command }))
}

interface Context {
  readonly help: string
  readonly t: Translator
}

function describe(problem: ArgumentProblem, { help, options, t }: Context & { options: OptionTable }): string {
  const option = printable(problem.option)
  switch (problem.kind) {
    case 'unknown-option': {
      const meant = nearest(problem.option.replace(/^-+/, ''), Object.keys(options))
      if (meant) return t('cli.unknown-option-meant', { option, meant: `--${meant}`, help })
      return t('cli.unknown-option', { option, help })
    }
    case 'value-missing':
      return t('cli.value-missing', { option, help })
    case 'value-unwanted':
      return t('cli.value-unwanted', { option, help })
    case 'value-wrong':
      return wrongChoice(problem.value, problem.choices, { help, t })
    default:
      return problem satisfies never
  }
}

function wrongChoice(value: string, choices: readonly string[], { help, t }: Context): string {
  const meant = nearest(value, choices)
  const values = { value: printable(value), choices: choices.join(', '), help }
  return meant ? t('cli.wrong-choice-meant', { ...values, meant }) : t('cli.wrong-choice', values)
}
