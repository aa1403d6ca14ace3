import type { Reply } from './reply.ts'
import type { Delivery } from './script.ts'
import { type Frame, frameEvent, type SseEvent } from './sse.ts'
import type { OpenReply } from './wire.ts'

/** The frames of a streamed reply, with the noise and the failure its step asks for. */
export function* streamFrames(open: OpenReply, reply: Reply, delivery: Delivery): Generator<Frame> {
  const lineEnd = delivery.crlf === true ? '\r\n' : '\n'
  for (const event of disturb(open, reply, delivery)) yield frameEvent(event, lineEnd)
}

function* disturb(open: OpenReply, { failure }: Reply, delivery: Delivery): Generator<SseEvent> {
  const { noise = [], noiseEvery = 1 } = delivery
  let deltas = 0
  for (const event of open.events()) {
    const isDelta = 'data' in event && event.isDelta === true
    const isEnd = 'data' in event && event.isEnd === true
    // A reply with fewer deltas than its failure waits for still fails, before it can end well.
    if (failure !== undefined && (isEnd || (isDelta && deltas >= failure.afterDeltas))) {
      yield* open.fail(failure)
      return
    }
    yield event
    if (!isDelta) continue
    deltas += 1
    if (deltas % noiseEvery === 0) for (const kind of noise) yield open.noise(kind)
  }
}
