import { createLiveBus, createMemoryBlobs, createMemoryLog } from '@maru/store'
import WebSocket from 'ws'
import { type ConnectOptions, connect } from '../src/index.ts'
import type { Room } from './wire-server.ts'

/** Short waits: a test has no patience. */
export const QUICK = { retryMs: 1, longestRetryMs: 10 }

export function createRoom(mask?: (text: string) => string): Room {
  const blobs = createMemoryBlobs()
  return { blobs, log: createMemoryLog({ now: Date.now, blobs, ...(mask && { mask }) }), live: createLiveBus() }
}

export function quickly(url: string, token: string, more: Partial<ConnectOptions> = {}) {
  return connect({ url, token, WebSocket, timing: QUICK, ...more })
}

/** Waits for something to be so, and says what never was. */
export async function until(isSo: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
