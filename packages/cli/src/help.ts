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
}

/** `maru -h`: what there is. */
export function overviewHelp(entries: { readonly [name: string]: CommandEntry }, { t, style }: Words): string {
  const commands = Object.entries(entries).map(([name, { summary }]): Row => [name, t(summary)])
  return [
    `${style.bold(t('help.usage'))} maru [${t('help.options-word')}] ${t('help.command-word')}`,
    '',
    t('help.about'),
    '',
    style.bold(t('help.commands')),
    ...columns(commands),
    '',
    style.bold(t('help.options')),
    ...columns(optionRows(globalOptions, t)),
    '',
    t('help.more'),
    '',
  ].join('\n')
}

/** `maru COMMAND -h`: how it is called. */
export function commandHelp(command: Command, entry: CommandEntry, { t, style }: Words): string {
  const own = columns(optionRows(command.options, t))
  return [
    ...command.usage.map((form, i) => {
      const label = t('help.usage')
      return `${i === 0 ? style.bold(label) : ' '.repeat(displayWidth(label))} maru ${form}`
    }),
    '',
    t(entry.summary),
    ...(command.details ? ['', ...wrap(t(command.details), COLUMNS)] : []),
    ...(own.length > 0 ? ['', style.bold(t('help.options')), ...own] : []),
    '',
    style.bold(t('help.global-options')),
    ...columns(optionRows(globalOptions, t)),
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

function columns(rows: readonly Row[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => displayWidth(left)))
  return rows.map(([left, right]) => `  ${padTo(left, width)}  ${right}`)
}
