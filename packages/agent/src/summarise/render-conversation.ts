import type { BlobRef, Part } from '@maru/protocol'
import { cutMiddle } from '../excerpt.ts'

/** A message of a conversation, whoever keeps it. */
export interface Spoken {
  role: 'user' | 'assistant' | 'system'
  parts: readonly Part[]
}

export type ReadBlob = (ref: BlobRef) => Promise<string | undefined>

/** What stands at the head of the part of a condensed context that a model wrote. */
export const SUMMARY_HEADING =
  '## Summary (written by a model: where it differs from the sections above, they are right)'

const ARGUMENTS = 300
const RESULT = 500
const SPOKEN = 4_000

/**
 * A conversation as text to be summarised, within `room` characters: what was said, which calls were made, how they ended.
 * The newest is kept where not all of it fits, and the cut is stated.
 */
export async function renderConversation(
  messages: readonly Spoken[],
  room: number,
  readBlob: ReadBlob,
): Promise<string> {
  const lines: string[] = []
  let left = room
  for (const message of messages.toReversed()) {
    const text = await renderMessage(message, readBlob)
    if (text === '') continue
    if (text.length > left) {
      lines.push(left > 200 ? cutMiddle(text, left) : '', '[What came before does not fit here.]')
      break
    }
    lines.push(text)
    left -= text.length + 2
  }
  return lines
    .toReversed()
    .filter((line) => line !== '')
    .join('\n\n')
}

async function renderMessage({ role, parts }: Spoken, readBlob: ReadBlob): Promise<string> {
  const lines: string[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'context': {
        const whole = part.blob ? await readBlob(part.blob) : part.text
        lines.push(`${NAMES[role]}: ${cutMiddle(afterHeading(whole ?? part.text), SPOKEN)}`)
        break
      }
      case 'call':
        lines.push(`Call ${part.tool} ${cutMiddle(JSON.stringify(part.args), ARGUMENTS)}`)
        break
      case 'result':
        lines.push(`Result (${part.ok ? 'ok' : 'failed'}): ${cutMiddle(part.text, RESULT)}`)
        break
      case 'image':
      case 'file':
        lines.push(`[${part.type === 'image' ? part.mediaType : part.name}]`)
        break
      case 'data':
        lines.push(cutMiddle(JSON.stringify(part.value), RESULT))
        break
      case 'reasoning':
      case 'opaque':
        break
      default:
        part satisfies never
    }
  }
  return lines.join('\n')
}

const NAMES = { user: 'User', assistant: 'Assistant', system: 'System' }

// Of an earlier condensed context only the summary is for a model to go on with: the rest is read from the log again.
function afterHeading(text: string): string {
  const at = text.lastIndexOf(SUMMARY_HEADING)
  return at < 0 ? text : `[Summary of what came before]${text.slice(at + SUMMARY_HEADING.length)}`
}
