import { LIVE, type Live, type LiveBus, type OpenTurn } from '@maru/protocol'

/** What a late joiner gets of a running tool's output: its end, for the whole will be in the log. */
const PROGRESS_KEPT = 64 * 1024

/** Live events inside one process. Nothing here is stored. */
export function createLiveBus(): LiveBus {
  const sessions = new Map<string, { open: OpenTurn; listeners: Set<(live: Live) => void> }>()
  const at = (id: string) => {
    const session = sessions.get(id) ?? { open: { parts: [], progress: {} }, listeners: new Set() }
    sessions.set(id, session)
    return session
  }
  const tidy = (id: string) => {
    const session = sessions.get(id)
    if (session && session.listeners.size === 0 && isEmpty(session.open)) sessions.delete(id)
  }
  return {
    publish(id, live) {
      const { open, listeners } = at(id)
      if (LIVE[live.type].keep !== 'none') keep(open, live)
      for (const listener of [...listeners]) tell(listener, live)
      tidy(id)
    },
    subscribe(id, listener) {
      const { open, listeners } = at(id)
      // One listener given twice is two subscriptions.
      const own = (live: Live) => listener(live)
      listeners.add(own)
      return {
        open: structuredClone(open),
        close() {
          listeners.delete(own)
          tidy(id)
        },
      }
    },
    settle(id, done) {
      const { open } = at(id)
      if ('callId' in done) delete open.progress[done.callId]
      else if (open.turnId === done.turnId) {
        delete open.turnId
        open.parts = []
      }
      tidy(id)
    },
  }
}

// A listener that fails is a bug of its own, and must not keep the others, or the runner, from going on.
function tell(listener: (live: Live) => void, live: Live): void {
  try {
    listener(live)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

function keep(open: OpenTurn, live: Live): void {
  switch (live.type) {
    case 'text-delta': {
      if (open.turnId !== live.turnId) {
        open.turnId = live.turnId
        open.parts = []
      }
      while (open.parts.length <= live.part) open.parts.push('')
      open.parts[live.part] = splice(open.parts[live.part] ?? '', live.offset, live.text)
      return
    }
    case 'tool-progress': {
      const known = open.progress[live.callId]
      // Behind a gap only what comes from here on is known.
      const isGap = !known || live.offset > known.offset + known.text.length
      const { offset, text } = isGap ? { offset: live.offset, text: '' } : known
      const whole = splice(text, live.offset - offset, live.text)
      const cut = Math.max(0, whole.length - PROGRESS_KEPT)
      open.progress[live.callId] = { offset: offset + cut, text: whole.slice(cut) }
      return
    }
    case 'session-state':
      open.state = live
      return
    case 'context-level':
    case 'presence':
      return
    default:
      live satisfies never
  }
}

// The same delta twice, or one that overlaps, changes nothing that is there already.
function splice(text: string, offset: number, added: string): string {
  if (offset === text.length) return text + added
  return offset + added.length <= text.length ? text : text.slice(0, Math.max(0, offset)) + added
}

function isEmpty({ turnId, parts, progress, state }: OpenTurn): boolean {
  return turnId === undefined && parts.length === 0 && Object.keys(progress).length === 0 && state === undefined
}
