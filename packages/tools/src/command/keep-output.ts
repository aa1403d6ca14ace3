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
export async function keepOutput(bytes: Buffer, context: ToolContext): Promise<{ part: Part; diagnostic: Diagnostic }> {
  const blob = await context.keep(bytes, 'output.txt')
  const lines = countLines(bytes)
  return {
    part: { type: 'file', name: 'output.txt', mediaType: 'text/plain', blob },
    diagnostic: {
      code: 'long-output',
      message: `Not all of it is shown here; ${lines} lines are kept.`,
      hint: `Read any of them with ReadFile path="${SCHEME}${context.callId}", startLine and endLine.`,
    },
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  // By index: an iterator over megabytes is slow.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a) count++
  return bytes.length === 0 || bytes.at(-1) === 0x0a ? count : count + 1
}
