import type { ModelEvent } from '@maru/protocol'
import { createSseReader } from './sse.ts'
import { type VendorName, vendorOf } from './vendor/vendors.ts'

/** What the adapter makes of the recorded events of one answer (as `onRaw` gave them), for checking it again. */
export async function readRecorded(vendor: VendorName, model: string, raw: Iterable<string>): Promise<ModelEvent[]> {
  const sse = createSseReader()
  const { wire, baseUrl } = vendorOf(vendor)
  const reading = (await wire(new URL(baseUrl))).open(model)
  const encoder = new TextEncoder()
  const events: ModelEvent[] = []
  for (const text of raw) for (const event of sse.push(encoder.encode(text))) events.push(...reading.step(event))
  events.push(...reading.end())
  return events
}
