import type { Failure, ModelProvider, Usage } from '@maru/protocol'
import { cutMiddle } from '../excerpt.ts'
import { askSummary, withinWords } from './ask-summary.ts'
import { type ReadBlob, renderConversation, type Spoken } from './render-conversation.ts'
import { isMostlyKorean, summaryRequest } from './summary-request.ts'

export interface SummariseOptions {
  provider: ModelProvider
  model: string
  maxWords?: number
  /** Characters of the conversation that the model may be given. */
  room?: number
  readBlob?: ReadBlob
}

/** A summary, who wrote it, and what it cost. */
export interface Summary {
  text: string
  /** `log`: the model gave nothing of use, and what stands here was taken from the conversation itself. */
  by: 'model' | 'log'
  usage?: Usage
  failure?: Failure
}

const WORDS = 500
const ROOM = 120_000

/** Main points, decisions and next actions of a conversation, in its language; there is always one. */
export async function summarise(
  messages: readonly Spoken[],
  { provider, model, maxWords = WORDS, room = ROOM, readBlob = async () => undefined }: SummariseOptions,
  signal: AbortSignal,
): Promise<Summary> {
  const isKorean = isMostlyKorean(messages.filter(({ role }) => role === 'user').map(textOf))
  const conversation = await renderConversation(messages, room, readBlob)
  const request = summaryRequest(conversation, { model, words: maxWords, isKorean, about: 'talk' })
  const { text, usage, failure } = await askSummary(provider, request, signal)
  const spent = { ...(usage && { usage }), ...(failure && { failure }) }
  if (text !== '') return { text: withinWords(text, maxWords), by: 'model', ...spent }
  return { text: withinWords(extract(messages), maxWords), by: 'log', ...spent }
}

/** Whether a conversation has grown so long that it should be summarised. */
export function needsSummary({ messages, tokens }: { messages: number; tokens: number }): boolean {
  return messages > 50 || tokens > 10_000
}

// First and last words of each side: little, but true.
function extract(messages: readonly Spoken[]): string {
  const spoken = messages
    .filter(({ role }) => role !== 'system')
    .flatMap((message) => {
      const text = textOf(message).trim()
      return text === ''
        ? []
        : [`- ${message.role === 'user' ? 'User' : 'Assistant'}: ${cutMiddle(text.replaceAll(/\s+/g, ' '), 240)}`]
    })
  const shown = spoken.length <= 24 ? spoken : [...spoken.slice(0, 6), '- […]', ...spoken.slice(-17)]
  return shown.join('\n')
}

function textOf({ parts }: Spoken): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
