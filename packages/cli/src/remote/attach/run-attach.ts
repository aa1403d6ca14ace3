import type { Translator } from '@maru/i18n'
import type { AgentDoor } from '../../agent/door.ts'
import type { AgentWish, Elsewhere } from '../../agent/run-conversation.ts'
import { CliError, usageError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { printable } from '../../terminal/printable.ts'
import type { ServerLink } from '../link.ts'
import { openLink, refused } from '../open-link.ts'
import { chooseServer, type serverOptions } from '../reach.ts'
import { findRemote } from '../remote-sessions.ts'
import { type Attached, attachTo } from './attached.ts'
import { pickRemote } from './pick-remote.ts'

type AttachInvocation = Invocation<typeof serverOptions>

/** Opens a door to a session of a server, as the terminal can: drawn, line by line, or as JSON. */
export async function runAttach(invocation: AttachInvocation, { isPlain }: { isPlain: boolean }): Promise<ExitCode> {
  const { env, isInteractive, json, positionals, t } = invocation
  const [name] = positionals
  if (name === undefined && (!isInteractive || json)) throw usageError(t('remote.need-id'))
  const link = await openLink(await chooseServer(invocation), { invocation })
  try {
    // What is wrong with the name is said before anything is drawn.
    const id = name === undefined ? undefined : await expectRemote(link, name, invocation)
    if (json && id !== undefined) {
      const { streamJson } = await import('./stream-json.ts')
      return await streamJson(invocation, link, id)
    }
    const isLines = isPlain || !isInteractive || env['TERM'] === 'dumb' || !env['TERM']
    const attaching = createAttaching(link, { id, isEchoed: isLines, t })
    const wish: AgentWish = { hasTools: true, words: '', elsewhere: attaching.elsewhere }
    const code = isLines
      ? await (await import('../../agent/run-plain.ts')).runPlain(invocation, wish)
      : await (await import('../../agent/run-screen.ts')).runScreen(invocation, wish)
    return code === EXIT.done && !isInteractive ? exitOf(attaching.attached?.reason) : code
  } finally {
    await link.close()
  }
}

async function expectRemote(link: ServerLink, name: string, { t }: Invocation): Promise<string> {
  const id = await findRemote(link, name, t)
  if (id !== undefined) return id
  throw usageError(t('remote.no-session', { url: printable(link.url), id: printable(name) }))
}

interface Attaching {
  readonly elsewhere: Elsewhere
  readonly attached: Attached | undefined
}

interface Wish {
  readonly id: string | undefined
  readonly isEchoed: boolean
  readonly t: Translator
}

/** A door's way to a session elsewhere, and what came of it. */
export function createAttaching(link: ServerLink, wish: Wish): Attaching {
  let attached: Attached | undefined
  let end = (_error: unknown): void => undefined
  const over = new Promise<never>((_, reject) => {
    end = reject
  })
  // Told by whoever shows the session.
  over.catch(() => undefined)
  const open = async (door: AgentDoor, place: Invocation): Promise<Attached | undefined> => {
    const { t } = place
    const url = printable(link.url)
    const id = wish.id ?? (await pickRemote(link, door, place))
    if (id === undefined) {
      door.leave()
      return undefined
    }
    watchConnection(link, {
      cut: () => door.events.notice(t('remote.cut', { url })),
      back: () => door.events.notice(t('remote.back')),
      refused: () => end(refused(link.url, place)),
    })
    attached = await attachTo(
      {
        invocation: place,
        link,
        events: door.events,
        isEchoed: wish.isEchoed,
        onGone: () => end(new CliError('session-gone', t('remote.gone', { id: printable(id) }))),
      },
      id,
    )
    door.show([place.style.dim(t('remote.attached', { url }))])
    rest.begin(door)
    return attached
  }
  const rest = createRest(() => attached)
  return {
    get attached() {
      return attached
    },
    elsewhere: { open, over, rest: rest.wait, tellReturn: (id) => wish.t('remote.again', { id }) },
  }
}

// Whoever said something by a script waits for what comes of it.
function createRest(attached: () => Attached | undefined) {
  let ready: Promise<unknown> = Promise.resolve()
  return {
    begin(door: AgentDoor) {
      ready = door.ready
    },
    async wait() {
      await ready
      await attached()?.rested()
    },
  }
}

function watchConnection(link: ServerLink, told: { cut(): void; back(): void; refused(): void }): void {
  let wasUp = true
  link.connection.onChange(() => {
    const { isUp, isRefused } = link.connection
    if (isRefused) told.refused()
    else if (wasUp && !isUp) told.cut()
    else if (!wasUp && isUp) told.back()
    wasUp = isUp
  })
}

// What a script learns from how the last run ended.
function exitOf(reason: string | undefined): ExitCode {
  if (reason === undefined || reason === 'done') return EXIT.done
  if (reason === 'failed') return EXIT.failed
  return reason === 'interrupted' ? EXIT.interrupted : EXIT.limit
}
