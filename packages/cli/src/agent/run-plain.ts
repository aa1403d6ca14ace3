import { createInterface, type Interface } from 'node:readline'
import { createTextStyle } from '@maru/terminal'
import type { Invocation } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { wantsColour } from '../terminal/style.ts'
import { inDoor } from './in-door.ts'
import { takeInterrupts } from './interrupts.ts'
import { createPlainDoor } from './plain-door.ts'
import { type AgentWish, runConversation } from './run-conversation.ts'

/** The agent line by line: for terminals that cannot be drawn on, and for people who have the screen read to them. */
export async function runPlain(invocation: Invocation, wish: AgentWish): Promise<ExitCode> {
  const { env, options, lang, stdout } = invocation
  const isColoured = wantsColour(env, { isRefused: options['no-color'], isTerminal: true })
  const door = createPlainDoor({
    write: (text) => void stdout.write(text),
    columns: () => stdout.columns,
    style: createTextStyle(isColoured),
    lang,
    isVerbose: options.verbose,
    now: Date.now,
    async command(text) {
      const { runSlashAt } = await import('./slash-door.ts')
      return runSlashAt(text, { invocation: place, door })
    },
  })
  const place = inDoor(invocation, door)
  let lines: Interface | undefined
  const listen = () => {
    // The terminal itself lets a person mend the line: nothing is drawn by us.
    lines = createInterface({ input: process.stdin, terminal: false })
    lines.on('line', door.line)
    // What was said may still be worked on, and asked about at another door.
    lines.once('close', () => void (wish.elsewhere?.rest?.() ?? Promise.resolve()).finally(door.leave))
  }
  // What a script answers must not come before what it was asked.
  if (wish.elsewhere && !invocation.isInteractive) void door.ready.then(listen)
  else listen()
  const giveBack = takeInterrupts(door.interrupt)
  try {
    return await runConversation(door, place, wish)
  } finally {
    giveBack()
    lines?.close()
    door.close()
  }
}
