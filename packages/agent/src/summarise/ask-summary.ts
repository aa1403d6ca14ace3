import type { Failure, ModelProvider, ModelRequest, Stop, Usage } from '@maru/protocol'

/** What came of asking for a summary: a text that may be poor, or none at all. */
export interface Asked {
  /** Empty where the model gave none. */
  text: string
  stop?: Stop
  usage?: Usage
  failure?: Failure
}

/** Asks once and takes whatever comes: no caller may depend on it. */
export async function askSummary(provider: ModelProvider, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  try {
    for await (const event of provider.stream(request, signal)) {
      if (event.type === 'failure') return { text: textOf(event.parts), failure: event.failure }
      if (event.type !== 'finish') continue
      const { stop, usage, parts } = event
      const isSaid = stop !== 'refusal' && stop !== 'filter'
      return { text: isSaid ? textOf(parts) : '', stop, ...(usage && { usage }) }
    }
  } catch (error) {
    return { text: '', failure: { code: 'protocol', message: error instanceof Error ? error.message : String(error) } }
  }
  return { text: '', failure: { code: 'protocol', message: 'the provider said nothing at the end' } }
}

function textOf(parts: readonly { type: string; text?: unknown }[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
    .trim()
}

/** A text within so many words, cut behind a sentence or a line where there is one. */
export function withinWords(text: string, words: number): string {
  const cut = endOfWord(text, words)
  if (cut === undefined) return text
  const kept = text.slice(0, cut)
  const end = Math.max(kept.lastIndexOf('\n'), kept.search(/[.!?。][^.!?。]*$/) + 1)
  return `${(end > kept.length / 2 ? kept.slice(0, end) : kept).trimEnd()} […]`
}

// Where the last of so many words ends; nothing, if there are no more of them.
function endOfWord(text: string, words: number): number | undefined {
  let seen = 0
  for (const match of text.matchAll(/\S+/g)) {
    // The mark of the cut is a word as well.
    if (++seen === words) {
      const rest = text.slice(match.index + match[0].length)
      return rest.trim() === '' ? undefined : match.index
    }
  }
  return undefined
}
