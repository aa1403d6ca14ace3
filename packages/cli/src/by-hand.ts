import { createHash } from 'node:crypto'
import type { ToolContext } from '@maru/protocol'

/** What a tool gets that a person runs by hand: there is no session to ask in, or to keep anything in. */
export function handContext(signal: AbortSignal): ToolContext {
  return {
    callId: 'by-hand',
    signal,
    progress: () => undefined,
    ask: async () => ({ kind: 'cancel' }),
    // A name for it is all that a caller gets.
    keep: async (content) => ({
      hash: createHash('sha256').update(content).digest('hex'),
      bytes: Buffer.byteLength(content),
    }),
    kept: async () => undefined,
  }
}
