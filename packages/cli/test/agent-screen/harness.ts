import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Lang } from '@maru/i18n'
import { startScriptedModel } from '@maru/scripted-model'
import { createTextStyle, type Frame, type Key, type Screen } from '@maru/terminal'
import { onTestFinished } from 'vitest'
import type { AgentDoor } from '../../src/agent/door.ts'
import { readEarlierInputs } from '../../src/agent/earlier-inputs.ts'
import { inDoor } from '../../src/agent/in-door.ts'
import { createPlainDoor } from '../../src/agent/plain-door.ts'
import { type AgentWish, runConversation } from '../../src/agent/run-conversation.ts'
import { createScreenDoor } from '../../src/agent/screen-door.ts'
import { runSlashAt } from '../../src/agent/slash-door.ts'
import type { Invocation } from '../../src/command.ts'
import { agent } from '../../src/commands/agent.ts'
import { createDesk } from '../../src/desk.ts'
import { globalOptions } from '../../src/option.ts'
import { parseArguments } from '../../src/parse-arguments.ts'
import { makeDirectory } from '../run.ts'

export interface DoorWish {
  readonly script: Parameters<typeof startScriptedModel>[0]['script']
  readonly lang?: Lang
  readonly args?: readonly string[]
  readonly files?: { readonly [path: string]: string }
  readonly size?: readonly [columns: number, rows: number]
  /** Where earlier sessions are. */
  readonly home?: string
  /** The clock of the screen. */
  readonly now?: () => number
}

/** A repository, a scripted model, and an invocation that knows both; only the terminal is missing. */
async function openPlace({ script, lang = 'en', args = [], files = {}, size = [80, 24], home }: DoorWish) {
  const base = await makeDirectory()
  const repo = join(base, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true })
    await writeFile(join(repo, path), text)
  }
  const model = await startScriptedModel({ script })
  const env = {
    PATH: process.env['PATH'],
    HOME: base,
    NO_COLOR: '1',
    MARU_HOME: home ?? join(base, 'home'),
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.url,
  }
  const stream = { isTTY: true, columns: size[0], write: () => true }
  const stdin = (async function* () {})()
  const all = ['--lang', lang, ...args]
  const { signal } = new AbortController()
  const desk = await createDesk(all, { stdin, stdout: stream, stderr: stream, env, cwd: repo, signal })
  const invocation = desk.invocation(parseArguments(all, { ...globalOptions, ...agent.options }))
  return { repo, model, home: env.MARU_HOME, invocation }
}

type Place = Awaited<ReturnType<typeof openPlace>>

function converse(door: AgentDoor, place: Invocation, { model, invocation }: Place) {
  const { session, resume, continue: latest } = invocation.options as Partial<AgentWish>
  const wish = { hasTools: true, words: '', session, resume, ...(latest !== undefined && { continue: latest }) }
  const ended = runConversation(door, place, wish)
  ended.catch(() => undefined)
  onTestFinished(async () => {
    door.leave()
    await ended.catch(() => undefined)
    await model.close()
  })
  return ended
}

/** A person at a door to a real conversation with a scripted model; only the terminal itself is a fake. */
export async function openDoor(wish: DoorWish) {
  const { lang = 'en', size = [80, 24], now = Date.now } = wish
  const opened = await openPlace(wish)
  const screen = createFakeScreen(size)
  const outside = { text: '', suspensions: 0 }
  const door = createScreenDoor({
    screen,
    style: createTextStyle(false),
    lang,
    isVerbose: false,
    now,
    writing: { complete: async () => [], earlier: (id) => readEarlierInputs(opened.invocation, id) },
    command: (text) => runSlashAt(text, { invocation: place, door }),
    outside: {
      edit: async (text) => `${text}${outside.text}`,
      async suspend() {
        outside.suspensions++
      },
    },
  })
  const place = inDoor(opened.invocation, door)
  const ended = converse(door, place, opened)
  const seen = () => `${screen.printed.join('\n')}\n${screen.frame.lines.join('\n')}`
  return {
    ...opened,
    door,
    screen,
    ended,
    outside,
    type(text: string) {
      for (const sign of text) door.key({ kind: 'text', text: sign })
    },
    press(name: string, held: { ctrl?: boolean; alt?: boolean; shift?: boolean } = {}): void {
      const key: Key = { kind: 'key', name, ctrl: false, alt: false, shift: false, ...held }
      door.key(key)
    },
    /** Waits until it is printed or drawn. */
    async until(wanted: string | ((text: string) => boolean)): Promise<void> {
      const isThere = () => (typeof wanted === 'string' ? seen().includes(wanted) : wanted(seen()))
      await screen.until(isThere, () => `never seen: ${wanted}\n--- printed and drawn ---\n${seen()}`)
    },
    /** What is drawn, as one text. */
    drawn: () => screen.frame.lines.join('\n'),
    printed: () => screen.printed.join('\n'),
  }
}

/** The same line by line. */
export async function openPlainDoor(wish: DoorWish) {
  const opened = await openPlace(wish)
  const paper = createFakeScreen(wish.size ?? [80, 24])
  let text = ''
  const door = createPlainDoor({
    write(more) {
      text += more
      paper.print([])
    },
    columns: () => paper.columns,
    style: createTextStyle(false),
    lang: wish.lang ?? 'en',
    isVerbose: false,
    now: Date.now,
    command: (line) => runSlashAt(line, { invocation: place, door }),
  })
  const place = inDoor(opened.invocation, door)
  const ended = converse(door, place, opened)
  return {
    ...opened,
    door,
    ended,
    text: () => text,
    until: (wanted: string) =>
      paper.until(
        () => text.includes(wanted),
        () => `never written: ${wanted}\n${text}`,
      ),
  }
}

const PATIENCE_MS = 90_000

/** A terminal that remembers what it was told. */
function createFakeScreen([columns, rows]: readonly [number, number]) {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const one of [...waiting]) one()
  }
  const screen = {
    columns,
    rows,
    printed: [] as string[],
    frame: { lines: [] } as Frame,
    notices: [] as string[],
    print(lines: readonly string[]) {
      for (const line of lines) screen.printed.push(line)
      // A frame follows at once: what is looked at belongs together.
      setImmediate(wake)
    },
    draw(frame: Frame) {
      screen.frame = frame
      wake()
    },
    notify(text: string) {
      screen.notices.push(text)
      wake()
    },
    resized: () => undefined,
    suspend: async () => undefined,
    resume: () => undefined,
    close: async () => undefined,
    /** Looked at again with everything that is written. */
    until(isSo: () => boolean, tell: () => string): Promise<void> {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          settle()
        }
        const look = () => {
          if (isSo()) end(resolve)
        }
        const timer = setTimeout(() => end(() => reject(new Error(tell()))), PATIENCE_MS)
        waiting.add(look)
        look()
      })
    },
  } satisfies Screen & Record<string, unknown>
  return screen
}
