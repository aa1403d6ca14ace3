import type { Failure, ModelEvent, Part } from '@maru/protocol'
import { type Addressee, failureOfAnswer } from './failure.ts'
import { type Headers, readRetryAfter, shouldRetry } from './retry.ts'
import { createSseReader, printSseEvent, SseLimitError } from './sse.ts'
import { createStopper, type Stopper } from './stopper.ts'
import type { Timers } from './timers.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import type { Reading } from './wire/wire.ts'

/** All that one try needs. */
export interface Try {
  transport: Transport
  request: TransportRequest
  reading: Reading
  to: Addressee
  timers: Timers
  idleMs: number
  signal: AbortSignal
  onRaw: ((event: string) => void) | undefined
}

/** How a try ended: with its last event said, or with a failure not said yet. */
export type Ending = { isSaid: true } | { isSaid: false; failure: Failure; parts: Part[]; canRetry: boolean }

/** One request and its answer. A failure before any output is given back, not said: another try may do better. */
export async function* attempt(one: Try): AsyncGenerator<ModelEvent[], Ending> {
  const stopper = createStopper(one)
  try {
    const response = await stopper.guard(one.transport(one.request, stopper.signal))
    if ('broken' in response) return notSaid(response.broken, {})
    const { value } = response
    if (!isStream(value)) return await readBadAnswer(value, one, stopper)
    return yield* readStream(value, one, stopper)
  } finally {
    stopper.release()
  }
}

function notSaid(failure: Failure, headers: Headers): Ending {
  return { isSaid: false, failure, parts: [], canRetry: shouldRetry(failure, headers) }
}

function isStream({ status, headers }: TransportResponse): boolean {
  const type = headers['content-type'] ?? ''
  return status >= 200 && status < 300 && !/^(text\/html|application\/([a-z.+-]*\+)?json)\b/i.test(type)
}

// Enough for any error message; a page of HTML needs no reading to its end.
const MAX_ERROR_BYTES = 64 * 1024

async function readBadAnswer(response: TransportResponse, one: Try, stopper: Stopper): Promise<Ending> {
  const { status, headers } = response
  const decoder = new TextDecoder()
  let text = ''
  const chunks = response.body[Symbol.asyncIterator]()
  for (;;) {
    const next = await stopper.guard(chunks.next())
    // The head alone already says that it is an error.
    if ('broken' in next) {
      if (stopper.isStopped) return notSaid(next.broken, headers)
      break
    }
    if (next.value.done === true) {
      stopper.keep()
      break
    }
    text += decoder.decode(next.value.value, { stream: true })
    if (text.length > MAX_ERROR_BYTES) break
  }
  const location = headers['location']
  const answer = { status, type: headers['content-type'] ?? '', text, ...(location === undefined ? {} : { location }) }
  const retryAfterMs = readRetryAfter(headers, one.timers.now())
  const failure = failureOfAnswer(answer, one.to)
  return notSaid(retryAfterMs === undefined ? failure : { ...failure, retryAfterMs }, headers)
}

async function* readStream(
  response: TransportResponse,
  { reading, to, onRaw }: Try,
  stopper: Stopper,
): AsyncGenerator<ModelEvent[], Ending> {
  const sse = createSseReader()
  const chunks = response.body[Symbol.asyncIterator]()
  let hasSpoken = false
  for (;;) {
    const next = await stopper.guard(chunks.next())
    let batch: ModelEvent[] = []
    if ('broken' in next) batch = reading.end(afterOutput(next.broken, hasSpoken, to))
    else if (next.value.done === true) batch = reading.end(hasSpoken ? undefined : silence(to))
    else batch = readChunk(next.value.value, { sse, reading, onRaw, stopper })
    const last = batch.at(-1)
    if (last?.type === 'failure' && !hasSpoken && !batch.some(isOutput)) {
      const failure = { ...last.failure, message: placed(last.failure.message, to) }
      if (!('broken' in next)) await leave(chunks, stopper)
      return { isSaid: false, failure, parts: last.parts, canRetry: shouldRetry(failure, {}) }
    }
    if (last?.type === 'failure') last.failure.message = placed(last.failure.message, to)
    if (batch.length > 0) yield batch
    hasSpoken ||= batch.some(isOutput)
    if (last?.type !== 'finish' && last?.type !== 'failure') continue
    if (!('broken' in next)) await leave(chunks, stopper)
    return { isSaid: true }
  }
}

/** The vendor has said its last word: the rest is the transport's to read, and the connection its own to keep. */
async function leave(chunks: AsyncIterator<Uint8Array>, stopper: Stopper): Promise<void> {
  stopper.keep()
  await chunks.return?.(undefined)
}

function isOutput({ type }: ModelEvent): boolean {
  return type !== 'trace' && type !== 'failure'
}

type Reader = { sse: ReturnType<typeof createSseReader>; reading: Reading; onRaw: Try['onRaw']; stopper: Stopper }

function readChunk(bytes: Uint8Array, { sse, reading, onRaw, stopper }: Reader): ModelEvent[] {
  const batch: ModelEvent[] = []
  const before = reading.beats
  try {
    const events = sse.push(bytes)
    // What came together is kept together: a string of its own for each event would cost more than reading it.
    if (onRaw && events.length > 0) onRaw(events.map(printSseEvent).join(''))
    for (const event of events) for (const said of reading.step(event)) add(batch, said)
  } catch (error) {
    if (!(error instanceof SseLimitError)) throw error
    for (const said of reading.end({ code: 'protocol', message: error.message })) batch.push(said)
  }
  if (reading.beats !== before) stopper.beat()
  return batch
}

/** What arrived together is said together: deltas of one part that came in one piece are one. */
function add(batch: ModelEvent[], said: ModelEvent): void {
  const last = batch.at(-1)
  if (said.type === 'text-delta' || said.type === 'reasoning-delta') {
    if (last?.type === said.type && last.part === said.part) last.text += said.text
    else batch.push(said)
  } else if (said.type === 'call-delta' && last?.type === 'call-delta' && last.callId === said.callId) {
    last.text += said.text
  } else batch.push(said)
}

/** After output a broken connection is a cut: what came is kept, and the request is not simply made again. */
function afterOutput(failure: Failure, hasSpoken: boolean, { host }: Addressee): Failure {
  if (!hasSpoken || failure.code !== 'network') return failure
  return { code: 'cut', message: `the connection to ${host} broke in the middle of the answer` }
}

function silence({ host }: Addressee): Failure {
  return { code: 'network', message: `${host} hung up before the model said anything: try again` }
}

function placed(message: string, { host }: Addressee): string {
  return message.includes(host) ? message : `${host}: ${message}`
}
