import { once } from 'node:events'
import { homedir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findServer } from '../remote/find-server.ts'
import type { WorkOptions } from '../session/work-on.ts'
import { shortId } from '../sessions/draw-list.ts'
import { printable } from '../terminal/printable.ts'
import { version } from '../version.ts'
import type { Conversation } from './conversation.ts'
import type { AgentDoor } from './door.ts'
import type { OpenSource } from './session-source.ts'

/** What is wanted of the session that is opened. */
export interface AgentWish extends WorkOptions {
  /** Said at once. */
  readonly words: string
  /** Kept in a file, also where a server runs. */
  readonly isLocal?: boolean
  /** Where it is not this process that works on it. */
  readonly elsewhere?: Elsewhere
}

/** A session that somebody else runs, as a door is opened to it. */
export interface Elsewhere {
  /** Nothing, when the person does not want to choose one. */
  open(door: AgentDoor, place: Invocation): Promise<Conversation | undefined>
  /** Rejects when there is nothing to look at any more. */
  readonly over: Promise<never>
  /** How to come back to it. */
  tellReturn(id: string): string
  /** Nothing more will be typed. */
  rest?(): Promise<void>
}

/** Opens the session behind a door that is there already, and stays until the person leaves. */
export async function runConversation(door: AgentDoor, place: Invocation, wish: AgentWish): Promise<ExitCode> {
  const { signal } = place
  const gone = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  const over = Promise.race([door.left, gone, ...(wish.elsewhere ? [wish.elsewhere.over] : [])])
  // Heard below.
  over.catch(() => undefined)
  door.show(helloLines(place))
  if (wish.words.trim() !== '') door.say(wish.words)
  const opening = open(door, place, wish)
  // Heard below; should the person leave first, what went wrong no longer matters.
  opening.catch(() => undefined)
  try {
    const conversation = await Promise.race([opening, over.then(() => undefined)])
    if (!conversation) return EXIT.done
    door.attach(conversation)
    if (conversation.isLeftOpen) door.show([place.style.yellow(place.t('screen.left-open'))])
    await over
    return EXIT.done
  } finally {
    await leave(door, opening, { place, wish })
  }
}

async function open(door: AgentDoor, place: Invocation, wish: AgentWish): Promise<Conversation | undefined> {
  // What is shown already goes out first: loading the rest takes a moment in which nothing could be drawn.
  for (let turn = 0; turn < 3; turn++) await setImmediate()
  if (wish.elsewhere) return wish.elsewhere.open(door, place)
  const source = wish.isLocal === true ? undefined : await findSource(place)
  const { openConversation } = await import('./conversation.ts')
  if (wish.resume !== true) return openConversation(place, wish, door.events, source)
  const { pickSession } = await import('./pick-session.ts')
  const id = await pickSession(place, door)
  if (id === undefined) door.leave()
  return id === undefined ? undefined : openConversation(place, { ...wish, resume: id }, door.events, source)
}

// Where none was ever started, one look at the disk says so.
async function findSource(place: Invocation): Promise<OpenSource | undefined> {
  const server = await findServer(place)
  if (!server) return undefined
  const { serverSource } = await import('../remote/source.ts')
  return serverSource(server)
}

// What runs is ended cleanly, so that the next process finds nothing half done.
async function leave(
  door: AgentDoor,
  opening: Promise<Conversation | undefined>,
  { place: { t, style }, wish }: { place: Invocation; wish: AgentWish },
): Promise<void> {
  // Whoever waits for a choice is told that there will be none.
  door.leave()
  const conversation = await opening.catch(() => undefined)
  await conversation?.close()
  if (conversation && door.isUsed) {
    const id = shortId(conversation.sessionId)
    door.show([style.dim(wish.elsewhere?.tellReturn(id) ?? t('screen.resume', { id }))])
  }
  door.close()
}

function helloLines({ t, style, repo }: Invocation): string[] {
  const home = homedir()
  const root = repo()
  const place = root.startsWith(`${home}/`) ? `~${root.slice(home.length)}` : root
  return [`${style.bold('Maru')} ${style.dim(`${version} · ${printable(place)}`)}`, style.dim(t('screen.hello'))]
}
