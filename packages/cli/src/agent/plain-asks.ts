import type { Answer, RecordedOf } from '@maru/protocol'
import { wrapText } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'
import { previewLines, reasonLines } from './approval-lines.ts'
import type { OpenAsk } from './asks.ts'
import type { Conversation } from './conversation.ts'
import type { PromptWords } from './prompt.ts'

/** A question as lines that are printed once, the prompt behind them, and what a line typed there means. */
export interface PlainAsk {
  lines(width: number): string[]
  readonly prompt: string
  /** How the answer is given; lines, when more is to be told before there is one. */
  read(line: string, width: number): { give(conversation: Conversation): Promise<void> } | { lines: string[] }
}

export function plainAsk(open: OpenAsk, words: PromptWords): PlainAsk {
  return open.kind === 'approval' ? approval(open.ask, open.tool, words) : question(open.ask, words)
}

function approval(ask: RecordedOf<'approval-ask'>, tool: string | undefined, words: PromptWords): PlainAsk {
  const { t } = words
  const canAlways = ask.grant !== undefined
  return {
    lines: (width) => [
      ...wrapText(tool === undefined ? t('screen.may-it') : t('screen.may', { tool: printable(tool) }), width),
      ...previewLines(ask, words, { width }),
      ...reasonLines(ask, words, { width, isWhyShown: false }),
    ],
    prompt: t(canAlways ? 'screen.plain-approve-always' : 'screen.plain-approve'),
    read(line, width) {
      const said = line.trim()
      if (/^(w|why|ㅈ|왜)$/i.test(said)) return { lines: reasonLines(ask, words, { width, isWhyShown: true }) }
      const option = readOption(said, canAlways)
      const answer = option ? { option } : { option: 'deny' as const, words: said }
      return { give: (conversation) => conversation.approve(ask, answer) }
    },
  }
}

// Neither yes nor no: why not, or what to do instead, in the person's own words.
function readOption(said: string, canAlways: boolean): 'allow' | 'always' | 'deny' | undefined {
  if (/^(y|yes|네|예|ㅛ)$/i.test(said)) return 'allow'
  if (canAlways && /^(a|always|항상|ㅁ)$/i.test(said)) return 'always'
  return /^(|n|no|아니요|아니오|ㅜ)$/i.test(said) ? 'deny' : undefined
}

function question(ask: RecordedOf<'question-ask'>, { t, style }: PromptWords): PlainAsk {
  const { options = [], allowFreeText } = ask
  const isFree = options.length === 0 || allowFreeText === true
  return {
    lines(width) {
      const asked = printable(ask.question, { keepLines: true }).split('\n')
      return [
        ...asked.flatMap((line) => wrapText(style.bold(line), width)),
        ...options.flatMap((option, at) => wrapText(`  ${at + 1}. ${printable(option)}`, width)),
      ]
    },
    prompt: options.length > 0 ? t('session.choose', { count: options.length }) : t('session.answer'),
    read(line) {
      const answer = readChoice(line.trim(), options, isFree)
      return { give: (conversation) => conversation.answer(ask.questionId, answer) }
    },
  }
}

function readChoice(said: string, options: readonly string[], isFree: boolean): Answer {
  const option = options[Number(said) - 1] ?? options.find((candidate) => candidate === said)
  if (option !== undefined) return { kind: 'option', option }
  return isFree && said !== '' ? { kind: 'words', words: said } : { kind: 'cancel' }
}
