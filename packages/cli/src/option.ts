import type { PlainKey } from '@maru/i18n'

/** One option as data: parsing, help and completions are read from it. */
export type Option =
  | { readonly kind: 'flag'; readonly short?: string; readonly summary: PlainKey }
  | {
      readonly kind: 'value' | 'optional-value' | 'list'
      /** What stands for the value in help: `PATH`, or `ko|en`. */
      readonly value: string
      readonly choices?: readonly string[]
      readonly short?: string
      readonly summary: PlainKey
    }

/** Options by their long name, without the dashes. */
export type OptionTable = { readonly [name: string]: Option }

type Chosen<O extends Option> = O extends { readonly choices: readonly (infer Choice extends string)[] }
  ? Choice
  : string

/** What a table gives when parsed. A flag that was not given is false, a list that was not given is empty. */
export type Options<T extends OptionTable> = {
  readonly [Name in keyof T]: T[Name]['kind'] extends 'flag'
    ? boolean
    : T[Name]['kind'] extends 'list'
      ? readonly Chosen<T[Name]>[]
      : T[Name]['kind'] extends 'optional-value'
        ? Chosen<T[Name]> | true | undefined
        : Chosen<T[Name]> | undefined
}

/** Options that every command takes. */
export const globalOptions = {
  repo: { kind: 'value', value: 'PATH', summary: 'option.repo' },
  lang: { kind: 'value', value: 'ko|en', choices: ['ko', 'en'], summary: 'option.lang' },
  json: { kind: 'flag', summary: 'option.json' },
  quiet: { kind: 'flag', summary: 'option.quiet' },
  verbose: { kind: 'flag', summary: 'option.verbose' },
  'no-color': { kind: 'flag', summary: 'option.no-color' },
  help: { kind: 'flag', short: 'h', summary: 'option.help' },
  version: { kind: 'flag', summary: 'option.version' },
} as const satisfies OptionTable

export type GlobalOptions = Options<typeof globalOptions>
