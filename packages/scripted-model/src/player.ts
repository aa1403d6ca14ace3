import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Chunk } from './chunks.ts'
import type { Fault } from './script.ts'

/** Waits, or comes back early when aborted; it never throws. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export const sleepInTime: Sleep = async (ms, signal) => {
  try {
    await wait(ms, undefined, { signal })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
  }
}

/** What is written, how it ends, and whether each chunk must leave on its own. */
export type Performance = {
  readonly chunks: Iterable<Chunk>
  readonly end: Fault['kind']
  readonly isSeparate: boolean
  readonly firstDelayMs: number
}

/** Writes a response body at the client's pace and ends it as asked; stops when the client is gone or `signal` aborts. */
export async function play(
  response: ServerResponse,
  { chunks, end, isSeparate, firstDelayMs }: Performance,
  { sleep, signal }: { sleep: Sleep; signal: AbortSignal },
): Promise<void> {
  if (firstDelayMs > 0) await sleep(firstDelayMs, signal)
  response.flushHeaders()
  for (const { bytes, pauseMs } of chunks) {
    if (signal.aborted || response.destroyed) return
    if (isSeparate || pauseMs > 0) await writeOut(response, bytes)
    else if (!response.write(bytes)) await untilGone(response, (done) => response.once('drain', done))
    if (pauseMs > 0) await sleep(pauseMs, signal)
  }
  if (!signal.aborted && !response.destroyed) await finish(response, end, signal)
}

/** Resolves when the kernel took the bytes and all before them, or when the client is gone. */
function writeOut(response: ServerResponse, bytes: Uint8Array | string): Promise<void> {
  return untilGone(response, (done) => response.write(bytes, done))
}

function untilGone(response: ServerResponse, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    begin(done)
    if (response.destroyed) done()
  })
}

// A reset that meets unread bytes shows up as a plain end: the client needs a moment to read them first. It is not
// part of the story told, so it is no pause of the script.
const readingMs = 30

async function finish(response: ServerResponse, end: Fault['kind'], signal: AbortSignal): Promise<void> {
  if (end === 'end') {
    response.end()
    return
  }
  await writeOut(response, '')
  if (end === 'close') response.socket?.destroySoon()
  if (end === 'reset') {
    await sleepInTime(readingMs, signal)
    // A client in this very process may have been kept from reading by a busy loop.
    await nextTurn()
    response.socket?.resetAndDestroy()
  }
}
