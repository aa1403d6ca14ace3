import type { ReadStream } from 'node:tty'
import type { Key } from './key.ts'
import { createKeyReader } from './key-reader.ts'
import type { TerminalPort } from './outlet.ts'

/** A terminal that sends keys. Both `pause` and `close` leave it as it was; `close` may be called twice. */
export interface Keyboard {
  /** For as long as somebody else reads from the terminal: an editor, the shell after Ctrl-Z. */
  pause(): void
  resume(): void
  close(): void
}

/** How long an ESC may be the beginning of something. */
const ESCAPE_MS = 30

// Bracketed paste and reports of the focus; the last asks whether the terminal knows the kitty keyboard protocol.
const ON = '\x1b[?2004h\x1b[?1004h\x1b[?u'
const OFF = '\x1b[?1004l\x1b[?2004l'
// Keys that have no bytes of their own, such as Shift+Enter, and their Latin names whatever the layout.
const KITTY_ON = '\x1b[>5u'
const KITTY_OFF = '\x1b[<u'

/** Reads keys in raw mode until it is closed. Who opens it listens to `end` and `error` of stdin as well. */
export function openKeyboard(stdin: ReadStream, stdout: TerminalPort, onKey: (key: Key) => void): Keyboard {
  const wasRaw = stdin.isRaw
  let state: 'on' | 'paused' | 'closed' = 'paused'
  let hasKitty = false
  let reader = newReader()
  let cancelFlush = (): void => {}

  function newReader() {
    return createKeyReader({
      onReport(sequence) {
        if (hasKitty || state !== 'on' || !/^\[\?\d+u$/.test(sequence)) return
        hasKitty = true
        stdout.write(KITTY_ON)
      },
    })
  }

  function give(keys: readonly Key[]): void {
    for (const key of keys) {
      // What follows a key that has closed us is no longer ours to give.
      if (state === 'on') onKey(key)
    }
  }

  function take(chunk: Uint8Array | string): void {
    cancelFlush()
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    give(reader.isPasting && isCtrlC(bytes) ? reader.abandonPaste() : reader.read(bytes))
    if (reader.isWaiting) cancelFlush = afterSilence(() => give(reader.flush()))
  }

  function start(): void {
    state = 'on'
    reader = newReader()
    stdin.setRawMode(true)
    stdin.on('data', take)
    stdin.resume()
    stdout.write(ON)
  }

  function stop(next: 'paused' | 'closed'): void {
    if (state === 'on') {
      cancelFlush()
      stdout.write((hasKitty ? KITTY_OFF : '') + OFF)
      hasKitty = false
      stdin.off('data', take)
      stdin.pause()
      stdin.setRawMode(wasRaw)
    }
    state = next
  }

  start()
  return {
    pause() {
      if (state === 'on') stop('paused')
    },
    resume() {
      if (state === 'paused') start()
    },
    close() {
      stop('closed')
    },
  }
}

/** Calls after the time for an ESC, and after what came in meanwhile while the program was busy has been read. */
function afterSilence(call: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  const timeout = setTimeout(() => {
    immediate = setImmediate(call)
  }, ESCAPE_MS)
  return () => {
    clearTimeout(timeout)
    if (immediate !== undefined) clearImmediate(immediate)
  }
}

/** A person who presses Ctrl-C while a paste does not end wants it to end. */
function isCtrlC(bytes: Uint8Array): boolean {
  return bytes.length < 8 && ['\x03', '\x1b[99;5u'].includes(String.fromCharCode(...bytes))
}
