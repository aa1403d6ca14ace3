import type { PlainKey, Translator } from '@maru/i18n'
import type { CommandShape, OptionShape, ProgramShape } from '../completions/describe-program.ts'
import { EXIT } from '../exit-code.ts'

/** The manual page as roff, from what help is made of; the same input gives the same bytes. */
export function manPage(
  { options, commands }: ProgramShape,
  { t, version }: { t: Translator; version: string },
): string {
  const lines = [
    `.TH MARU 1 "" "maru ${roff(version)}" "Maru"`,
    // Neither hyphens nor wide gaps: most of it is to be typed.
    '.nh',
    '.ad l',
    section(t('man.section.name')),
    `maru \\- ${roff(t('man.name'))}`,
    section(t('man.section.synopsis')),
    '.B maru',
    roff(`[${t('help.options-word')}] ${t('help.command-word')}`),
    section(t('man.section.description')),
    ...paragraphs(`${t('help.about')} ${t('man.description')}`),
    section(t('man.section.commands')),
    ...commands.flatMap(commandLines),
    section(t('man.section.options')),
    ...options.flatMap(optionLines),
    section(t('man.section.exit')),
    ...EXITS.flatMap(([name, key]) => item(`${EXIT[name]}`, t(key))),
    section(t('man.section.environment')),
    ...VARIABLES.flatMap(([names, key]) => item(names, t(key))),
    section(t('man.section.files')),
    ...FILES.flatMap(([path, key]) => item(path, t(key))),
    section(t('man.section.see')),
    ...paragraphs(t('man.see')),
  ]
  return `${lines.join('\n')}\n`
}

const EXITS: readonly (readonly [keyof typeof EXIT, PlainKey])[] = [
  ['done', 'man.exit.done'],
  ['failed', 'man.exit.failed'],
  ['usage', 'man.exit.usage'],
  ['denied', 'man.exit.denied'],
  ['limit', 'man.exit.limit'],
  ['interrupted', 'man.exit.interrupted'],
]

const VARIABLES: readonly (readonly [string, PlainKey])[] = [
  ['ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL', 'man.env.anthropic'],
  ['OPENAI_API_KEY, OPENAI_BASE_URL', 'man.env.openai'],
  ['MARU_PROVIDER, MARU_MODEL', 'man.env.model'],
  ['MARU_HOME', 'man.env.home'],
  ['MARU_LANG', 'man.env.lang'],
  ['MARU_IDLE_TIMEOUT', 'man.env.idle'],
  ['NO_COLOR, FORCE_COLOR', 'man.env.colour'],
  ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS', 'man.env.proxy'],
]

const FILES: readonly (readonly [string, PlainKey])[] = [
  ['~/.maru/config.json', 'man.file.config'],
  ['~/.maru/sessions/', 'man.file.sessions'],
  ['maru.json', 'man.file.project'],
  ['AGENTS.md', 'man.file.instructions'],
]

function commandLines({ name, usage, summary, details, options }: CommandShape): string[] {
  return [
    `.SS maru ${roff(name)}`,
    '.nf',
    ...usage.map((form) => `.B maru ${roff(form)}`),
    '.fi',
    '.PP',
    ...paragraphs(`${summary}.`),
    ...(details ? ['.PP', ...paragraphs(details)] : []),
    ...options.flatMap(optionLines),
  ]
}

function optionLines({ long, short, value, placeholder, summary }: OptionShape): string[] {
  const forms = short ? `${short}, ${long}` : long
  const after = value === 'none' ? '' : value === 'optional' ? ` [${placeholder}]` : ` ${placeholder}`
  return item(forms + after, summary)
}

function item(term: string, text: string): string[] {
  return ['.TP', `.B ${roff(term)}`, ...paragraphs(text)]
}

function section(title: string): string {
  return `.SH ${roff(title)}`
}

// A line break in a message is meant: what stands there is a list of things to type.
function paragraphs(text: string): string[] {
  return text.split('\n').flatMap((line, index) => (index === 0 ? [roff(line)] : ['.br', roff(line)]))
}

// Quotes would group arguments of a macro, a plain minus becomes a hyphen that no shell knows, and a dot or an
// apostrophe at the beginning of a line is a command.
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\(rs')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
  return /^[.]/.test(escaped) ? `\\&${escaped}` : escaped
}
