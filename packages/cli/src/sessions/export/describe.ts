import type { Entry, MessageEntry, NoteEntry, Part, Step, Usage } from '@maru/protocol'
import { renderEntry } from '../../replay/render-entry.ts'
import { printable } from '../../terminal/printable.ts'
import { createStyle } from '../../terminal/style.ts'
import { tellFailure } from '../../terminal/tell-failure.ts'
import type { Exported } from './exported.ts'

type Words = Pick<Exported, 't' | 'lang'>

/** Text that people read, of a message: what was said, and what came with it from outside. */
export type SaidPart = Extract<Part, { type: 'text' | 'context' }>
/** Something that was sent along. */
export type AttachedPart = Extract<Part, { type: 'image' | 'file' }>

export const isSaid = (part: Part): part is SaidPart => part.type === 'text' || part.type === 'context'
export const isAttached = (part: Part): part is AttachedPart => part.type === 'image' || part.type === 'file'

/** Whether an entry has something to show. */
export function isWorthShowing(entry: Entry, hasMetadata: boolean): boolean {
  if (hasMetadata) return true
  return entry.kind === 'message' && entry.parts.some((part) => isSaid(part) || isAttached(part))
}

/** Who says it. What came in from elsewhere was said by somebody else than our agent. */
export function roleOf({ role }: Pick<MessageEntry, 'role'>, { t, head }: Words & Pick<Exported, 'head'>): string {
  const { program } = head
  if (role !== 'assistant' || program === undefined || program === 'maru') return t(`export.${role}`)
  return NAMES[program] ?? printable(program)
}

const NAMES: { readonly [program: string]: string | undefined } = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'claude-code': 'Claude Code',
  codex: 'Codex',
}

/** A time as it stands in a document that may be read anywhere. A log may say a time that no calendar has. */
export function timeOf(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** What is known of a message beside its words, in one line. */
export function aboutMessage(entry: MessageEntry, words: Words): string {
  const { at, model, usage, failure } = entry
  const facts = [
    timeOf(at),
    model === undefined ? '' : printable(model),
    usage ? usageLine(usage, words) : '',
    failure ? printable(`${failure.code}: ${tellFailure(failure.message, words.t)}`) : '',
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}

export function usageLine({ input, output }: Usage, { t, lang }: Words): string {
  return t('export.usage', { input: input.toLocaleString(lang), output: output.toLocaleString(lang) })
}

/** What stands above everything, as rows of a name and a value. */
export function headRows({ head, id, t, lang }: Exported): [name: string, value: string][] {
  const { startedAt, changedAt, cwd, forkOf, models, turns, usage } = head
  const rows: [string, string][] = [
    [t('export.session'), id],
    [t('export.started'), timeOf(startedAt)],
    [t('export.changed'), timeOf(changedAt)],
    [t('export.turns'), turns.toLocaleString(lang)],
    [t('export.tokens'), usageLine(usage, { t, lang })],
  ]
  if (models.length > 0) rows.push([t('export.models'), models.join(', ')])
  if (cwd !== undefined) rows.push([t('export.directory'), cwd])
  if (forkOf) rows.push([t('export.fork-of'), `${forkOf.id} #${forkOf.seq}`])
  return rows.map(([name, value]) => [name, printable(value)])
}

const plain = createStyle(false)

/** A note of the transcript as one line. */
export function noteLine(entry: NoteEntry, { t }: Words): string {
  return renderEntry(entry, { t, style: plain, isVerbose: false }).trim().replace(/^· /, '')
}

/** What a call was and what came of it, in one line. */
export function stepLine({ tool, state, result }: Step, { t }: Words): string {
  const facts = [
    printable(tool),
    t(`outcome.${state}`),
    result?.exit === undefined ? '' : t('outcome.exit', { code: result.exit }),
    result?.ms === undefined ? '' : `${result.ms} ms`,
  ]
  return facts.filter((fact) => fact !== '').join(' · ')
}

/** The arguments as they were given, or how much there was of them. */
export function stepArguments({ callId, args }: Step, { parts }: MessageEntry, { t, lang }: Words): string {
  const part = parts.find((one) => one.type === 'call' && one.callId === callId)
  const blob = part?.type === 'call' ? part.blob : undefined
  if (args === null && blob) return t('export.cut', { bytes: blob.bytes.toLocaleString(lang) })
  return printable(JSON.stringify(args, undefined, 2), { keepLines: true })
}

/** What a call returned, as it stands in the log, and what else it said. */
export function stepOutput({ parts, result }: Step, { t, lang }: Words): string {
  const texts = parts.flatMap((part) => {
    if (part.type !== 'text' && part.type !== 'result') return []
    const cut = part.blob ? `\n${t('export.cut', { bytes: part.blob.bytes.toLocaleString(lang) })}` : ''
    return [part.text.replaceAll('\r\n', '\n') + cut]
  })
  const files = (result?.files ?? []).map(({ path, before, after }) => `${before ? (after ? '~' : '-') : '+'} ${path}`)
  return printable([...files, ...texts].join('\n'), { keepLines: true })
}
