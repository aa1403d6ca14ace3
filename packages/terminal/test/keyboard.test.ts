import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Key, openKeyboard } from '../src/index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ON = '\x1b[?2004h\x1b[?1004h\x1b[?u'
const OFF = '\x1b[?1004l\x1b[?2004l'
const KITTY_ON = '\x1b[>5u'
const KITTY_OFF = '\x1b[<u'

function open() {
  const stdin = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(isRaw: boolean) {
      stdin.isRaw = isRaw
    },
  })
  let written = ''
  const port = {
    columns: 80,
    rows: 24,
    write(text: string) {
      written += text
      return true
    },
  }
  const keys: Key[] = []
  const keyboard = openKeyboard(stdin as unknown as ReadStream, port, (key) => {
    keys.push(key)
    if (key.kind === 'key' && key.name === 'd' && key.ctrl) keyboard.close()
  })
  const takeKeys = () =>
    keys.splice(0).map((key) => (key.kind === 'key' ? key.name : key.kind === 'focus' ? key : key.text))
  const takeWritten = () => {
    const taken = written
    written = ''
    return taken
  }
  return { stdin, keyboard, takeKeys, takeWritten, send: (text: string) => stdin.emit('data', Buffer.from(text)) }
}

test('raw mode, bracketed paste and reports of the focus are on while it is open and off when it is closed', () => {
  const { stdin, keyboard, takeKeys, takeWritten, send } = open()
  expect([stdin.isRaw, takeWritten()]).toEqual([true, ON])
  send('a\x1b[I')
  expect(takeKeys()).toEqual(['a', { kind: 'focus', isFocused: true }])
  keyboard.close()
  keyboard.close()
  expect([stdin.isRaw, takeWritten(), stdin.isPaused()]).toEqual([false, OFF, true])
  send('b')
  keyboard.resume()
  expect([takeKeys(), takeWritten()]).toEqual([[], ''])
})

test('paused, everything is as it was; resumed, it begins anew', () => {
  const { stdin, keyboard, takeKeys, takeWritten, send } = open()
  send('\x1b[1;')
  takeWritten()
  keyboard.pause()
  keyboard.pause()
  expect([stdin.isRaw, takeWritten(), stdin.listenerCount('data')]).toEqual([false, OFF, 0])
  keyboard.resume()
  keyboard.resume()
  expect([stdin.isRaw, takeWritten()]).toEqual([true, ON])
  send('A')
  expect(takeKeys()).toEqual(['A'])
})

test('a terminal that knows the kitty protocol is asked to use it, and to forget it again', () => {
  const { keyboard, takeKeys, takeWritten, send } = open()
  takeWritten()
  send('\x1b[?0u')
  send('\x1b[?5u')
  expect([takeKeys(), takeWritten()]).toEqual([[], KITTY_ON])
  keyboard.pause()
  expect(takeWritten()).toBe(KITTY_OFF + OFF)
  keyboard.resume()
  send('\x1b[?0u')
  keyboard.close()
  expect(takeWritten()).toBe(ON + KITTY_ON + KITTY_OFF + OFF)
})

test('Escape is a key after 30 ms, and before that the beginning of one', async () => {
  const { takeKeys, send } = open()
  send('\x1b')
  await vi.advanceTimersByTimeAsync(29)
  expect(takeKeys()).toEqual([])
  await vi.advanceTimersByTimeAsync(2)
  expect(takeKeys()).toEqual(['escape'])
  send('\x1b')
  await vi.advanceTimersByTimeAsync(20)
  send('[A')
  await vi.advanceTimersByTimeAsync(100)
  expect(takeKeys()).toEqual(['up'])
})

test('a program that was busy reads what waits for it before it takes ESC for the key', async () => {
  const { takeKeys, send } = open()
  send('\x1b')
  // The time is over, but the loop has not yet looked for input.
  vi.advanceTimersByTime(30)
  send('[A')
  await vi.advanceTimersByTimeAsync(100)
  expect(takeKeys()).toEqual(['up'])
})

test('Ctrl-C ends a paste whose end got lost', () => {
  const { takeKeys, send } = open()
  send('\x1b[200~half')
  send('\x03')
  send('\x03')
  expect(takeKeys()).toEqual(['half', 'c'])
})

test('a key that closes it is the last one', () => {
  const { takeKeys, send } = open()
  send('ab\x04c')
  expect(takeKeys()).toEqual(['ab', 'd'])
})
