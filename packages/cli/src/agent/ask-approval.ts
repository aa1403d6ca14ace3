import type { RecordedOf } from '@maru/protocol'
import { createEditor, cutText, type Editor, type Frame, type Key, wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'
import { previewLines, reasonLines } from './approval-lines.ts'
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
      if (isCtrl(key, 'o')) return { kind: 'show', lines: (width) => allLines(ask, words, width) }
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
      // With little room, what would be done is more than why it is asked, unless somebody wants to know.
      const rest = Math.max(1, rows - title.length - foot.lines.length)
      const least = isWhyShown ? 1 : LEAST_PREVIEW
      const kept = Math.min(least, previewLines(ask, words, { width, rows: least }).length)
      const reasons = cutLines(reasonLines(ask, words, { width, isWhyShown }), rest - kept, words)
      const shown = previewLines(ask, words, { width, rows: Math.max(1, rest - reasons.length) })
      return below([...title, ...shown, ...reasons], foot)
    },
  }
}

const FEW_ROWS = 9
const LEAST_PREVIEW = 4

function allLines(ask: Ask, words: PromptWords, width: number): string[] {
  return [...previewLines(ask, words, { width }), ...reasonLines(ask, words, { width, isWhyShown: true })]
}

// What an answer would allow is never left out in silence.
function cutLines(lines: readonly string[], rows: number, { t, style }: PromptWords): readonly string[] {
  if (lines.length <= rows) return lines
  const hidden = lines.length - rows + 1
  return rows < 1 ? [] : [...lines.slice(0, rows - 1), style.yellow(`  ${t('screen.more-preview', { count: hidden })}`)]
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
