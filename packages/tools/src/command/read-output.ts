import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { clock } from '../clock.ts'

/** Gets what was written; the bytes are good until it returns. */
export type OnOutput = (stream: 'stdout' | 'stderr', bytes: Buffer) => void

/** The outputs of a process while they are read. */
export interface OutputReader {
  readonly sockets: readonly Socket[]
  /** Waits for what is left, and lets go. */
  drain(): Promise<void>
}

// Who escaped every other way can hold a pipe open for ever: its words are waited for only while there are any.
const QUIET_MS = 250
const DRAIN_MS = 2_000

/** Reads both outputs, each from the end of a pipe or from what Node made of it. */
export function readOutput(
  sources: Readonly<Record<'stdout' | 'stderr', number | Readable | null>>,
  onOutput: OnOutput,
): OutputReader {
  let received = 0
  const sockets = (['stdout', 'stderr'] as const).flatMap((name) => {
    const source = sources[name]
    const onBytes = (bytes: Buffer) => {
      received += bytes.length
      onOutput(name, bytes)
    }
    return source === null ? [] : [read(source, onBytes)]
  })
  const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  return {
    sockets,
    async drain() {
      const deadline = clock() + DRAIN_MS
      for (let before = -1; before !== received && clock() < deadline; ) {
        before = received
        if (await isWithin(closed, QUIET_MS)) return
        // A timer that was late must not keep us from what has long been there to read.
        await turn()
      }
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const CHUNK = 64 * 1024

function read(source: number | Readable, onBytes: (bytes: Buffer) => void): Socket {
  // A socket, though its type does not say so.
  if (typeof source !== 'number') return source.on('data', onBytes) as Socket
  // Always into the same memory: in a flood, new pieces would come faster than they are collected.
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  const callback = (count: number) => {
    onBytes(buffer.subarray(0, count))
    return true
  }
  const options = { fd: source, readable: true, writable: false, onread: { buffer, callback } }
  return new Socket(options).resume()
}

async function isWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const isThere = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return isThere
}
