import type { ModelEvent } from '@maru/protocol'
import type { VendorName } from './provider.ts'
import { createSseReader } from './sse.ts'
import { anthropicWire } from './wire/anthropic.ts'
import { chatWire } from './wire/chat.ts'
import { responsesWire } from './wire/responses.ts'
import type { Wire } from './wire/wire.ts'

const wires: Readonly<Record<VendorName, Wire>> = {
  anthropic: anthropicWire,
  openai: responsesWire,
  'openai-chat': chatWire('compatible'),
}

/** What the adapter makes of the recorded events of one answer (as `onRaw` gave them), for checking it again. */
export function readRecorded(vendor: VendorName, model: string, raw: Iterable<string>): ModelEvent[] {
  const sse = createSseReader()
  const reading = wires[vendor].open(model)
  const encoder = new TextEncoder()
  const events: ModelEvent[] = []
  for (const text of raw) for (const event of sse.push(encoder.encode(text))) events.push(...reading.step(event))
  events.push(...reading.end())
  return events
}
