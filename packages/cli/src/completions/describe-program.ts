import type { Translator } from '@maru/i18n'
import type { CommandEntry, Positional } from '../command.ts'
import { globalOptions, type Option, type OptionTable } from '../option.ts'

/** What may stand in a place: one of some words, a file, a folder, or anything. */
export type Completes =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'anything' }

/** An option as shells and the manual need it. */
export interface OptionShape {
  /** With its dashes: `--mode`. */
  readonly long: string
  readonly short: string | undefined
  readonly value: 'none' | 'optional' | 'needed'
  /** Whether it may be given more than once. */
  readonly many: boolean
  /** What stands for the value in help: `PATH`. */
  readonly placeholder: string
  readonly completes: Completes
  readonly summary: string
}

export interface ArgumentShape {
  readonly name: string
  readonly many: boolean
  readonly completes: Completes
}

export interface CommandShape {
  readonly name: string
  readonly summary: string
  readonly details: string | undefined
  readonly usage: readonly string[]
  /** Its own, without those of every command. */
  readonly options: readonly OptionShape[]
  readonly arguments: readonly ArgumentShape[]
}

/** The command that is meant where none is named: its options may follow `maru` at once. */
export const BARE = 'agent'

/** All that `maru` takes, in one language. */
export interface ProgramShape {
  readonly options: readonly OptionShape[]
  readonly commands: readonly CommandShape[]
}

/** Reads the program's own tables; every command is loaded for it. */
export async function describeProgram(
  registry: { readonly [name: string]: CommandEntry },
  t: Translator,
): Promise<ProgramShape> {
  const commands = Object.entries(registry).map(async ([name, entry]): Promise<CommandShape> => {
    const command = await entry.load()
    return {
      name,
      summary: t(entry.summary),
      details: command.details && t(command.details),
      usage: command.usage,
      options: optionShapes(command.options, t),
      arguments: command.positionals.map(argumentShape),
    }
  })
  return { options: optionShapes(globalOptions, t), commands: await Promise.all(commands) }
}

function optionShapes(table: OptionTable, t: Translator): OptionShape[] {
  return Object.entries(table).map(([name, option]) => ({
    long: `--${name}`,
    short: option.short && `-${option.short}`,
    value: option.kind === 'flag' ? 'none' : option.kind === 'optional-value' ? 'optional' : 'needed',
    many: option.kind === 'list',
    placeholder: option.kind === 'flag' ? '' : option.value,
    completes: completesOf(name, option),
    summary: t(option.summary),
  }))
}

function completesOf(name: string, option: Option): Completes {
  if (option.kind === 'flag') return { kind: 'anything' }
  if (option.choices) return { kind: 'choices', choices: option.choices }
  // A repository is always a folder; its name says no more than that it is a path.
  return name === 'repo' ? { kind: 'folders' } : byPlaceholder(option.value)
}

function argumentShape({ name, choices, many = false }: Positional): ArgumentShape {
  return { name, many, completes: choices ? { kind: 'choices', choices } : byPlaceholder(name) }
}

function byPlaceholder(placeholder: string): Completes {
  const words = placeholder.split('|')
  if (words.includes('DIR')) return { kind: 'folders' }
  return words.includes('FILE') || words.includes('PATH') ? { kind: 'files' } : { kind: 'anything' }
}

/** Every option that is followed by a value, in any command: who walks along a line has to step over those. */
export function optionsWithValue({ options, commands }: ProgramShape): string[] {
  const all = [...options, ...commands.flatMap((command) => command.options)]
  const taking = all.filter(({ value }) => value !== 'none')
  return [...new Set(taking.flatMap(({ long, short }) => (short ? [long, short] : [long])))]
}
