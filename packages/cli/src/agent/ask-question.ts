import type { Answer, RecordedOf } from '@maru/protocol'
import { createEditor, createPicker, type Key, wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'
import { below, CHANGED, isCtrl, NONE, type Prompt, type PromptOutcome, type PromptWords } from './prompt.ts'

type Ask = RecordedOf<'question-ask'>

/** Puts the model's question before the person: a list to move through, or a line for words. Cancelling is an answer. */
export function askQuestion(ask: Ask, words: PromptWords): Prompt {
  const { t } = words
  const give = (answer: Answer): PromptOutcome => ({
    kind: 'answered',
    give: (conversation) => conversation.answer(ask.questionId, answer),
  })
  const question = printable(ask.question, { keepLines: true }).replaceAll('\t', '    ')
  const inner =
    (ask.options ?? []).length > 0 ? pickOne(ask, question, { words, give }) : takeWords(question, words, give)
  return {
    handle: (key) => (isCtrl(key, 'c') ? { kind: 'interrupt' } : inner.handle(key)),
    render: (width, rows) => below([words.style.dim(t('screen.asks'))], inner.render(width, Math.max(4, rows - 1))),
  }
}

const LEAST_ROWS = 3

type Give = (answer: Answer) => PromptOutcome

function pickOne(
  { options = [], allowFreeText }: Ask,
  title: string,
  { words: { t, style }, give }: { words: PromptWords; give: Give },
): Prompt {
  const picker = createPicker({
    style,
    title,
    items: options.map((option, at) => ({ label: printable(option), value: String(at) })),
    hint: t('screen.pick-hint'),
    ...(allowFreeText === true && { canType: true, freeTextLabel: t('screen.own-words') }),
  })
  return {
    handle(key) {
      const outcome = picker.handle(key)
      switch (outcome.kind) {
        case 'chosen':
          return give({ kind: 'option', option: options[Number(outcome.value)] ?? '' })
        case 'words':
          return outcome.words.trim() === '' ? NONE : give({ kind: 'words', words: outcome.words })
        case 'cancel':
          return give({ kind: 'cancel' })
        default:
          return outcome
      }
    },
    render: picker.render,
  }
}

function takeWords(question: string, { t, style }: PromptWords, give: Give): Prompt {
  const editor = createEditor({ style, describePaste: (lines, number) => t('screen.pasted', { lines, number }) })
  return {
    handle(key: Key) {
      const outcome = editor.handle(key)
      if (outcome.kind === 'submit' && outcome.text.trim() !== '') return give({ kind: 'words', words: outcome.text })
      if (outcome.kind === 'cancel') return give({ kind: 'cancel' })
      return outcome.kind === 'none' ? NONE : CHANGED
    },
    render(width, rows) {
      const hint = wrapText(style.dim(t('screen.words-hint')), width)
      const asked = question.split('\n').flatMap((line) => wrapText(style.bold(line), width))
      // The answer must stay in sight, however much was asked.
      const head = asked.slice(0, Math.max(1, rows - hint.length - LEAST_ROWS))
      const frame = editor.render(width, Math.max(1, rows - hint.length - head.length))
      return below(head, { ...frame, lines: [...frame.lines, ...hint] })
    },
  }
}
