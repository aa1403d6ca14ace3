// A program in a real terminal that does what it is told over a socket; see `tmux.ts`.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { canReflow, openKeyboard, openScreen } from '../src/index.ts'
import type { Answer, Order } from './tmux.ts'

const socket = connect(process.argv[2] ?? '')
const answer = (what: Answer) => socket.write(`${JSON.stringify(what)}\n`)
const screen = openScreen(process.stdout, { hasReflow: canReflow(process.env), frameMs: 5 })
const keyboard = openKeyboard(process.stdin, process.stdout, (key) => answer({ key }))
process.stdout.on('resize', () => screen.resized())

async function follow(order: Order): Promise<void> {
  switch (order.do) {
    case 'print':
      return screen.print(order.lines)
    case 'draw':
      return screen.draw(order.frame)
    case 'await-size':
      while (process.stdout.columns !== order.columns || process.stdout.rows !== order.rows) {
        await new Promise((resolve) => process.stdout.once('resize', resolve))
      }
      return
    case 'suspend':
      keyboard.pause()
      return screen.suspend()
    case 'resume':
      keyboard.resume()
      return screen.resume()
    case 'close':
      keyboard.close()
      await screen.close()
      setImmediate(() => process.exit())
      return
    default:
      order satisfies never
  }
}

answer({ answer: 'ready' })
for await (const line of createInterface({ input: socket })) {
  const order = JSON.parse(line) as Order
  await follow(order)
  answer({ answer: order.do })
}
