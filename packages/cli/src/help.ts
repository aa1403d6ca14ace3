import type { Translator } from '@maru/i18n'
import type { Command } from './command.ts'
import { globalOptions, type Option, type OptionTable } from './option.ts'
import type { CommandEntry } from './registry.ts'
import type { Style } from './terminal/style.ts'
import { displayWidth, padTo, wrap } from './terminal/width.ts'

const COLUMNS = 80

interface Words {
  readonly t: Translator
  readonly style: Style
  readonly stdout: { readonly columns: number }
}

/** `maru -h`: what there is. */
export function overviewHelp(entries: { readonly [name: string]: CommandEntry }, { t, style, stdout }: Words): string {
  const room = Math.min(COLUMNS, stdout.columns)
  const commands = Object.entries(entries).map(([name, { summary }]): Row => [name, t(summary)])
  return [
    `${style.bold(t('help.usage'))} maru [${t('help.options-word')}] ${t('help.command-word')}`,
    '',
    ...wrap(t('help.about'), room),
    '',
    style.bold(t('help.commands')),
    ...columns(commands, room),
    '',
    style.bold(t('help.options')),
    ...columns(optionRows(globalOptions, t), room),
    '',
    ...wrap(t('help.more'), room),
    '',
  ].join('\n')
}

/** `maru COMMAND -h`: how it is called. */
export function commandHelp(command: Command, entry: CommandEntry, { t, style, stdout }: Words): string {
  const room = Math.min(COLUMNS, stdout.columns)
  const own = columns(optionRows(command.options, t), room)
  return [
    ...command.usage.map((form, i) => {
      const label = t('help.usage')
      return `${i === 0 ? style.bold(label) : ' '.repeat(displayWidth(label))} maru ${form}`
    }),
    '',
    ...wrap(t(entry.summary), room),
    ...(command.details ? ['', ...wrap(t(command.details), room)] : []),
    ...(own.length > 0 ? ['', style.bold(t('help.options')), ...own] : []),
    '',
    style.bold(t('help.global-options')),
    ...columns(optionRows(globalOptions, t), room),
    '',
  ].join('\n')
}

type Row = readonly [left: string, right: string]

function optionRows(table: OptionTable, t: Translator): Row[] {
  return Object.entries(table).map(([name, option]) => [optionForm(name, option), t(option.summary)])
}

function optionForm(name: string, option: Option): string {
  const short = option.short ? `-${option.short}, ` : ''
  if (option.kind === 'flag') return `${short}--${name}`
  return `${short}--${name} ${option.kind === 'optional-value' ? `[${option.value}]` : option.value}`
}

// Fewer columns than this hold no sentence: then it stands below what it is about.
const LEAST = 16

function columns(rows: readonly Row[], room: number): string[] {
  const width = Math.max(0, ...rows.map(([left]) => displayWidth(left)))
  const isBeside = room - width - 4 >= LEAST
  const indent = ' '.repeat(isBeside ? width + 4 : 6)
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, room - indent.length)
    const first = isBeside ? `  ${padTo(left, width)}  ${lines.shift() ?? ''}` : `  ${left}`
    return [first, ...lines.map((line) => `${indent}${line}`)]
  })
}
