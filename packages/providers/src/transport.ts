import type { Headers } from './retry.ts'

/** A POST to a vendor. */
export interface TransportRequest {
  url: string
  headers: Headers
  body: string
}

export interface TransportResponse {
  status: number
  headers: Headers
  /** Bytes as they come. Throws when the connection breaks; leaving it early lets go of the connection. */
  body: AsyncIterable<Uint8Array>
}

/**
 * Carries a request to its host and nowhere else: redirects are not followed. Rejects where there was no answer; when
 * the signal aborts, at any point, the connection is destroyed.
 */
export type Transport = (request: TransportRequest, signal: AbortSignal) => Promise<TransportResponse>
