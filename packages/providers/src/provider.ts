import type { Failure, ModelEvent, ModelProvider, Part } from '@maru/protocol'
import { attempt, type Try } from './attempt.ts'
import { flatten } from './flatten.ts'
import { findModel, type ModelOverrides } from './models.ts'
import { createNodeTransport } from './node-transport.ts'
import { createRedactor } from './redact.ts'
import { DEFAULT_RETRY, type RetryPlan, waitBefore } from './retry.ts'
import { realTimers, sleep, type Timers } from './timers.ts'
import type { Transport, TransportRequest } from './transport.ts'
import { joinUrl } from './vendor/vendor.ts'
import { type VendorName, vendorOf } from './vendor/vendors.ts'
import type { Wire } from './wire/wire.ts'

/** How long to wait, and how often to try again. */
export interface Limits extends RetryPlan {
  /** Without an event from the model; pings do not count. */
  idleMs: number
}

export const DEFAULT_LIMITS: Limits = { ...DEFAULT_RETRY, idleMs: 120_000 }

export interface ProviderOptions {
  vendor: VendorName
  /** Empty for servers that need none. */
  key: string
  /** With or without its `/v1`. */
  baseUrl?: string
  /** Sent with each request; one of the vendor's own names replaces the vendor's. */
  headers?: { readonly [name: string]: string }
  /** What the user knows of models. */
  models?: ModelOverrides
  limits?: Partial<Limits>
  transport?: Transport
  timers?: Timers
}

/** The vendor's model to use where nobody names one. */
export function defaultModelOf(vendor: VendorName): string | undefined {
  return vendorOf(vendor).defaultModel
}

/** A model vendor over the network. */
export function createProvider(options: ProviderOptions): ModelProvider {
  const { timers = realTimers } = options
  const vendor = vendorOf(options.vendor)
  const url = joinUrl(options.baseUrl ?? vendor.baseUrl, vendor.path)
  const key = options.key.trim()
  const ownHeaders = lowerCase(options.headers ?? {})
  const headers = { ...standardHeaders, ...vendor.headers(key), ...ownHeaders }
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const redact = createRedactor([key, ...Object.values(ownHeaders)])
  let transport = options.transport

  return {
    stream(request, signal, onRaw) {
      transport ??= createNodeTransport({ timers })
      const begin = (wire: Wire): Omit<Try, 'request'> => ({
        transport: transport as Transport,
        reading: wire.open(request.model),
        to: { host: url.host, keyName: vendor.keyName, urlName: vendor.urlName, model: request.model },
        timers,
        idleMs: limits.idleMs,
        signal,
        onRaw,
      })
      const model = findModel(request.model, options.models)
      const print = (wire: Wire) => ({ url: url.href, headers, body: JSON.stringify(wire.body(request, model)) })
      const speak = () => vendor.wire(url)
      return flatten(redact(tryUntilSaid({ speak, begin, print, limits, timers, signal })))
    },
  }
}

const standardHeaders = {
  'content-type': 'application/json',
  accept: 'text/event-stream',
  // A compressed stream would come in lumps.
  'accept-encoding': 'identity',
  'user-agent': 'maru',
}

function lowerCase(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

interface Trying {
  speak(): Promise<Wire>
  begin(wire: Wire): Omit<Try, 'request'>
  print(wire: Wire): TransportRequest
  limits: Limits
  timers: Timers
  signal: AbortSignal
}

async function* tryUntilSaid(trying: Trying): AsyncGenerator<ModelEvent[]> {
  const { speak, begin, print, limits, timers, signal } = trying
  if (signal.aborted) return yield [aborted([])]
  const wire = await speak()
  const request = print(wire)
  for (let tries = 1; ; tries += 1) {
    const ending = yield* attempt({ ...begin(wire), request })
    if (ending.isSaid) return
    const { failure, parts, canRetry } = ending
    if (!canRetry || tries > limits.retries) return yield [{ type: 'failure', failure: counted(failure, tries), parts }]
    const waitMs = waitBefore(tries, { plan: limits, asked: failure.retryAfterMs, chance: timers.random() })
    yield [{ type: 'retry', failure, attempt: tries, waitMs }]
    if (!(await sleep(waitMs, timers, signal))) return yield [aborted(parts)]
  }
}

function aborted(parts: Part[]): ModelEvent {
  return { type: 'failure', failure: { code: 'aborted', message: 'interrupted' }, parts }
}

function counted(failure: Failure, tries: number): Failure {
  return tries === 1 || failure.code === 'aborted'
    ? failure
    : { ...failure, message: `${failure.message} (tried ${tries} times)` }
}
