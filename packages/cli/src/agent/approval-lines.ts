import type { Translator } from '@maru/i18n'
import type { Access, Json, RecordedOf } from '@maru/protocol'
import { renderDiff, wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'
import { tellReason } from '../terminal/tell-reason.ts'
import type { PromptWords } from './prompt.ts'

type Ask = RecordedOf<'approval-ask'>

interface PreviewRoom {
  readonly width: number
  readonly rows?: number
}

/** What would be done; what does not fit is counted, never left out in silence. */
export function previewLines(
  { preview }: Ask,
  { t, style }: PromptWords,
  { width, rows = 10_000 }: PreviewRoom,
): string[] {
  if (!preview) return []
  const inner = Math.max(10, width - 2)
  const more = (hidden: number) => t('screen.more-preview', { count: hidden })
  const all =
    preview.kind === 'diff'
      ? renderDiff(printable(preview.text, KEEP), { style, width: inner, only: 'files', maxLines: rows, more })
      : textLines(preview, { inner, paint: style.bold })
  const isCut = all.length > rows
  const lines = isCut ? [...all.slice(0, rows - 1), style.yellow(more(all.length - rows + 1))] : all
  return lines.map((line) => `  ${line}`)
}

const KEEP = { keepLines: true } as const

function textLines(
  preview: Exclude<NonNullable<Ask['preview']>, { kind: 'diff' }>,
  { inner, paint }: { inner: number; paint(text: string): string },
): string[] {
  const isCommand = preview.kind === 'command'
  const text = printable(isCommand ? preview.command : preview.text, KEEP).replaceAll('\t', '    ')
  const lines = text
    .split('\n')
    .flatMap((line, at) => wrapText(isCommand ? paint(`${at === 0 ? '$' : ' '} ${line}`) : line, inner))
  const isElsewhere = isCommand && preview.cwd !== '.' && preview.cwd !== ''
  return isElsewhere ? [...lines, ...wrapText(`  ${printable(preview.cwd)}/`, inner)] : lines
}

/** Why it is asked, what `always` would write, and, if wanted, every detail. */
export function reasonLines(
  { reason, why, rule, grant, access = [] }: Ask,
  { t, style }: PromptWords,
  { width, isWhyShown }: { width: number; isWhyShown: boolean },
): string[] {
  const told = tellReason({ reason, why, rule }, t)
  const lines = [t('screen.because', { reason: printable(told) })]
  for (const one of grant ?? []) lines.push(tellRule(one, t))
  if (isWhyShown) {
    if (rule !== undefined) lines.push(t('screen.by-rule', { rule: printable(rule) }))
    if (t('language.tag') === 'en' && told !== reason) lines.push(printable(reason))
    // What only reads is not why anyone is asked.
    const touched = new Set(
      access.filter((one) => !(one.kind === 'run' && one.proven === 'read-only')).map((one) => showAccess(one, t)),
    )
    for (const what of [...touched].slice(0, MOST_TOUCHED)) lines.push(what)
    if (touched.size > MOST_TOUCHED) lines.push(t('screen.touches-more', { count: touched.size - MOST_TOUCHED }))
  }
  return lines.flatMap((line) =>
    wrapText(style.dim(line), width - 4).map((row, at) => `${at === 0 ? '  ' : '    '}${row}`),
  )
}

const MOST_TOUCHED = 6

// As it stands in the config file afterwards, but for the place, which is here.
function tellRule(rule: Json, t: Translator): string {
  const isPlaced = rule !== null && typeof rule === 'object' && !Array.isArray(rule) && 'in' in rule
  if (!isPlaced) return t('screen.always-writes', { rule: printable(JSON.stringify(rule)) })
  const { in: _place, ...rest } = rule
  return t('screen.always-here', { rule: printable(JSON.stringify(rest)) })
}

function showAccess(access: Access, t: Translator): string {
  switch (access.kind) {
    case 'run':
      return t('screen.access-run', { what: printable(`${access.program} ${access.argv.join(' ')}`.trim()) })
    case 'net':
      return t('screen.access-net', { what: printable(access.host) })
    case 'reach':
      return t('screen.access-reach', { files: access.files, lines: access.lines })
    case 'foreign-tool':
      return t('screen.access-foreign', { what: printable(`${access.source} ${access.name}`) })
    case 'privilege':
      return t('screen.access-privilege')
    case 'process':
    case 'ask':
      return t('screen.access-other')
    case 'read':
    case 'write':
    case 'create':
    case 'delete':
      return t(`screen.access-${access.kind}`, { what: printable(access.path) })
    default:
      return access satisfies never
  }
}
