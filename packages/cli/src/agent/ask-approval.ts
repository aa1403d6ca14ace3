import type { Translator } from '@maru/i18n'
import type { Access, Json, RecordedOf } from '@maru/protocol'
import { createEditor, cutText, type Editor, type Frame, type Key, renderDiff, wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'
import { tellReason } from '../terminal/tell-reason.ts'
import { below, CHANGED, isCtrl, isNamed, NONE, type Prompt, type PromptOutcome, type PromptWords } from './prompt.ts'

type Ask = RecordedOf<'approval-ask'>
type Answer = { option: 'allow' | 'always' | 'deny'; words?: string }

// The letters of the keys, and what the same keys give while Hangul is being typed.
const KEYS: { readonly [letter: string]: 'yes' | 'no' | 'always' | 'edit' | 'why' } = {
  ...{ y: 'yes', ㅛ: 'yes', n: 'no', ㅜ: 'no', a: 'always', ㅁ: 'always' },
  ...{ e: 'edit', ㄷ: 'edit', ㄸ: 'edit', w: 'why', ㅈ: 'why', ㅉ: 'why' },
}

/** Shows what a call would do, and asks whether it may. Whatever is not a clear yes is no. */
export function askApproval(ask: Ask, tool: string | undefined, words: PromptWords): Prompt {
  const { t, style } = words
  const { preview, grant } = ask
  let isWhyShown = false
  let editor: Editor | undefined
  const answer = (given: Answer): PromptOutcome => ({
    kind: 'answered',
    give: (conversation) => conversation.approve(ask, given),
  })
  const openEditor = () => {
    editor = createEditor({ style, describePaste: (lines, number) => t('screen.pasted', { lines, number }) })
    if (preview?.kind === 'command') editor.setText(preview.command)
  }
  const edit = (open: Editor, key: Key): PromptOutcome => {
    const outcome = open.handle(key)
    if (outcome.kind === 'submit') {
      const instead = outcome.text.trim()
      const isChanged = instead !== '' && !(preview?.kind === 'command' && instead === preview.command.trim())
      if (isChanged) return answer({ option: 'deny', words: t('screen.instead', { words: instead }) })
    }
    // Left without a change: nothing was answered yet.
    if (outcome.kind === 'submit' || outcome.kind === 'cancel' || outcome.kind === 'interrupt') editor = undefined
    return CHANGED
  }
  return {
    handle(key) {
      if (editor) return edit(editor, key)
      if (isCtrl(key, 'c')) return { kind: 'interrupt' }
      if (isCtrl(key, 'o')) return { kind: 'show', lines: (width) => previewLines(ask, words, { width }) }
      if (isNamed(key)) return key.name === 'enter' || key.name === 'escape' ? answer({ option: 'deny' }) : NONE
      // A pasted letter is no answer.
      const meant = key.kind === 'text' ? KEYS[key.text.trim().toLowerCase()] : undefined
      if (meant === 'yes') return answer({ option: 'allow' })
      if (meant === 'no') return answer({ option: 'deny' })
      if (meant === 'always' && grant) return answer({ option: 'always' })
      if (meant === 'edit') openEditor()
      if (meant === 'why') isWhyShown = !isWhyShown
      return meant === 'edit' || meant === 'why' ? CHANGED : NONE
    },
    render(width, rows) {
      const asked = tool === undefined ? t('screen.may-it') : t('screen.may', { tool: printable(tool) })
      const title = rows < FEW_ROWS ? [] : wrapText(style.bold(asked), width)
      const foot = editor ? editFrame(editor, words, width) : keysFrame(ask, words, { width, isShort: rows < FEW_ROWS })
      // With little room, what would be done is more than why it is asked.
      const rest = rows - title.length - foot.lines.length
      const reasons = reasonLines(ask, words, { width, isWhyShown }).slice(0, Math.max(0, rest - LEAST_PREVIEW))
      const shown = previewLines(ask, words, { width, rows: Math.max(1, rest - reasons.length) })
      return below([...title, ...shown, ...reasons], foot)
    },
  }
}

const FEW_ROWS = 9
const LEAST_PREVIEW = 4

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
      ? renderDiff(printable(preview.text, KEEP), { style, width: inner, maxLines: rows, more })
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

function keysFrame(
  { grant }: Ask,
  { t, style }: PromptWords,
  { width, isShort }: { width: number; isShort: boolean },
): Frame {
  const keys = style.cyan(t(grant ? 'screen.approve-keys-always' : 'screen.approve-keys'))
  return { lines: isShort ? [cutText(keys, width)] : ['', ...wrapText(keys, width)] }
}

function editFrame(editor: Editor, { t, style }: PromptWords, width: number): Frame {
  const hint = wrapText(style.dim(t('screen.edit-hint')), width)
  const frame = editor.render(width, 6)
  return { ...frame, ...below([''], frame), lines: ['', ...frame.lines, ...hint] }
}
