import type { Failure, ModelEvent, ModelRequest } from '@maru/protocol'
import type { ModelInfo } from '../models.ts'
import type { SseEvent } from '../sse.ts'

/** A vendor's protocol: what to send, and what its stream means. Pure: no clock, no I/O. */
export interface Wire {
  /** The request as the vendor wants it; equal requests give equal bytes. */
  body(request: ModelRequest, model: ModelInfo): { readonly [key: string]: unknown }
  /** Begins to read one answer of this model. */
  open(model: string): Reading
}

/** An answer being read. */
export interface Reading {
  /** What an event of the stream says. After a `finish` or `failure` nothing more is said. */
  step(event: SseEvent): ModelEvent[]
  /**
   * The stream is over, and with `cause` for a bad reason. Gives the last word if it is still missing: `finish` where
   * the vendor had said why the model stopped, else a `failure` (`cut`, unless there is a cause).
   */
  end(cause?: Failure): ModelEvent[]
  /** Grows with each event that shows the model at work; pings and unknown events do not count. */
  readonly beats: number
}
