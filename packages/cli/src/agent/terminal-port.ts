import { write } from 'node:fs'
import type { TerminalPort } from '@maru/terminal'

const STDOUT = 1
const AGAIN_MS = 10

/**
 * The way to the terminal behind stdout. Node would stand still while a slow or stopped terminal (Ctrl-S, a bad line) takes
 * nothing; here only the drawing waits, and the agent goes on.
 */
export function openTerminalPort(onGone: () => void): TerminalPort {
  const waiting: { bytes: Buffer; done: (() => void) | undefined }[] = []
  let isWriting = false
  const next = () => {
    const [first] = waiting
    if (!first || isWriting) return
    isWriting = true
    write(STDOUT, first.bytes, (error, written) => {
      isWriting = false
      if (error && error.code !== 'EAGAIN') {
        // A terminal that has gone away: there is nobody to show anything to.
        for (const { done } of waiting.splice(0)) done?.()
        onGone()
        return
      }
      first.bytes = first.bytes.subarray(written)
      if (first.bytes.length > 0) {
        setTimeout(next, error ? AGAIN_MS : 0)
        return
      }
      waiting.shift()
      first.done?.()
      next()
    })
  }
  return {
    write(text, done) {
      waiting.push({ bytes: Buffer.from(text), done })
      next()
      return false
    },
    get columns() {
      return process.stdout.columns || 80
    },
    get rows() {
      return process.stdout.rows || 24
    },
  }
}
