import { TEXT_LIMIT } from '@maru/agent'
import type { Diagnostic, Part, ToolContext } from '@maru/protocol'

/** How a kept output is named as a path. */
const SCHEME = 'output:'

/** The call whose kept output a path names. */
export function keptCallOf(path: string): string | undefined {
  return path.startsWith(SCHEME) ? path.slice(SCHEME.length) : undefined
}

/** What a result that tells of a kept output may show beside it. */
export const SHOWN_BESIDE_KEPT = TEXT_LIMIT - 300

/** Keeps an output that is too long to be shown, and says how it can be read. */
export async function keepOutput(text: string, context: ToolContext): Promise<{ part: Part; diagnostic: Diagnostic }> {
  // As text and not as bytes, so that whoever keeps it can take out what must not be kept.
  const blob = await context.keep(text, 'output.txt')
  const lines = countLines(text)
  return {
    part: { type: 'file', name: 'output.txt', mediaType: 'text/plain', blob },
    diagnostic: {
      code: 'long-output',
      message: `Not all of it is shown here; ${lines} lines are kept.`,
      hint: `Read any of them with ReadFile path="${SCHEME}${context.callId}", startLine and endLine.`,
    },
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return text === '' || text.endsWith('\n') ? count : count + 1
}
