import { canReflow, createTextStyle, openKeyboard, openScreen } from '@maru/terminal'
import type { Invocation } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { wantsColour } from '../terminal/style.ts'
import { createFileCompletion } from './file-completion.ts'
import { inDoor } from './in-door.ts'
import { type AgentWish, runConversation } from './run-conversation.ts'
import { createScreenDoor } from './screen-door.ts'
import { openTerminalPort } from './terminal-port.ts'

const MOST_FILES = 50_000

/** The agent on a terminal that can be drawn on: the editor is there at once, everything else follows. */
export async function runScreen(invocation: Invocation, wish: AgentWish): Promise<ExitCode> {
  const { env, options, lang, repo } = invocation
  const port = openTerminalPort(() => door.leave())
  const screen = openScreen(port, { hasReflow: canReflow(env) })
  const isColoured = wantsColour(env, { isRefused: options['no-color'], isTerminal: true })
  const files = createFileCompletion({
    now: Date.now,
    async list(signal) {
      const { listPaths } = await import('@maru/tools')
      return listPaths(repo(), { signal, limit: MOST_FILES })
    },
  })
  // Whatever else reads keys or writes must find the terminal as it was.
  const aside = async <T>(act: () => Promise<T>): Promise<T> => {
    keyboard.pause()
    await screen.suspend()
    try {
      return await act()
    } finally {
      keyboard.resume()
      screen.resume()
    }
  }
  const door = createScreenDoor({
    screen,
    style: createTextStyle(isColoured),
    lang,
    isVerbose: options.verbose,
    now: Date.now,
    writing: {
      async complete(trigger, prefix, signal) {
        if (trigger === '@') return files.complete(prefix, signal)
        const { completeSlash } = await import('./slash/run-slash.ts')
        return completeSlash(prefix, place)
      },
      async earlier(sessionId) {
        const { readEarlierInputs } = await import('./earlier-inputs.ts')
        return readEarlierInputs(invocation, sessionId)
      },
    },
    async command(text) {
      const { runSlashAt } = await import('./slash-door.ts')
      return runSlashAt(text, { invocation: place, door })
    },
    outside: {
      edit: (text) =>
        aside(async () => {
          const { editOutside } = await import('./outside-editor.ts')
          return editOutside(text, env)
        }),
      suspend: () =>
        aside(async () => {
          const { stopHere } = await import('./stop-here.ts')
          await stopHere()
        }),
    },
  })
  const place = inDoor(invocation, door)
  const keyboard = openKeyboard(process.stdin, port, door.key)
  process.stdout.on('resize', door.redraw)
  // A terminal that has gone away: there is nobody to listen to.
  for (const event of ['end', 'error']) process.stdin.on(event, door.leave)
  try {
    return await runConversation(door, place, wish)
  } finally {
    process.stdout.removeListener('resize', door.redraw)
    for (const event of ['end', 'error']) process.stdin.removeListener(event, door.leave)
    door.close()
    keyboard.close()
    await screen.close()
  }
}
