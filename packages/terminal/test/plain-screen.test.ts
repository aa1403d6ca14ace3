import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTextStyle, openScreen } from '../src/index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const style = createTextStyle(true)

function open() {
  let written = ''
  const port = {
    columns: 40,
    rows: 10,
    write(text: string, done: () => void = () => {}) {
      written += text
      done()
      return true
    },
  }
  const screen = openScreen(port, { isPlain: true })
  const type = (text: string) =>
    screen.draw({ lines: ['⠋ working', style.bold('› ') + text], cursor: { row: 1, column: 2 + text.length } })
  const pause = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { screen, type, pause, written: () => written }
}

test('of a frame only the line with the cursor is written, and what is typed is added to it', async () => {
  const { type, pause, written } = open()
  for (const text of ['', 'h', 'he', 'he ', 'he y']) {
    type(text)
    await pause(40)
  }
  expect(written()).toBe('› he y')
})

test('a line that changed in another way is written again when it has settled, once', async () => {
  const { type, pause, written } = open()
  for (const text of ['hello', 'hell', 'hel']) {
    type(text)
    await pause(100)
  }
  expect(written()).toBe('› hello')
  await pause(500)
  expect(written()).toBe('› hello\n› hel')
  await pause(5000)
  expect(written()).toBe('› hello\n› hel')
})

test('printed lines are added below, without colours, and do not repeat the prompt', async () => {
  const { screen, type, pause, written } = open()
  type('')
  await pause(40)
  screen.print([style.red('one'), 'two'])
  await pause(40)
  screen.print(['three'])
  await pause(5000)
  expect(written()).toBe('› \none\ntwo\nthree\n')
  type('x')
  await pause(40)
  expect(written()).toBe('› \none\ntwo\nthree\n› x')
})

test('nothing in it moves the cursor, whatever happens', async () => {
  const { screen, type, pause, written } = open()
  type('가나')
  await pause(40)
  screen.draw({ lines: ['⠙ working'] })
  screen.resized()
  screen.notify('done')
  screen.print(['\x1b[2Aup'])
  await pause(1000)
  await screen.suspend()
  screen.resume()
  await screen.close()
  expect(written()).toBe('› 가나\n�up\n\x07')
})
