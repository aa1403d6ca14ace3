import { addUsage } from '@maru/agent'
import type { Actor, EndReason, Json, Live, Part, Recorded, Usage } from '@maru/protocol'
import type { OpenSession } from './open-session.ts'

/** How a run shows itself. */
export interface Door {
  /** What happened before this door was opened: known, not shown. */
  past(record: Recorded): void
  live(event: Live): void
  fact(record: Recorded): void
  /** A line for people. */
  notice(line: string): void
  end(result?: Result): Promise<void>
}

export interface Result {
  reason: EndReason
  text: string
  usage: Usage
  session: string
  detail?: string
  /** The answer as the value it is, where it had to fit a schema and does. */
  output?: Json
  /** Why it does not fit, for people. */
  misfit?: string
}

export const person: Actor = { kind: 'person', id: 'owner', door: 'terminal' }

/** What came of the runs that a door watched. */
export interface Watched {
  /** What the model said last. */
  said: Part[]
  denied: number
  usage: Usage
  detail?: string
}

/** Shows a session from `after` on, and gathers what came of it, until `work` is done. */
export async function watchSession<T>(
  { log, id }: OpenSession,
  { after, onFact }: { after: number; onFact(record: Recorded): void },
  work: () => Promise<T>,
): Promise<{ done: T; watched: Watched }> {
  const stop = new AbortController()
  const watched: Watched = { said: [], denied: 0, usage: { input: 0, output: 0 } }
  let last = after
  const take = (record: Recorded) => {
    if (record.seq <= last) return
    last = record.seq
    gather(watched, record)
    onFact(record)
  }
  // First, so that whoever follows finds the log opened here, and need not look for what others write.
  const working = work()
  const following = (async () => {
    for await (const record of log.follow(id, after, stop.signal)) take(record)
  })()
  // Awaited below; should it fail before that, it has still been heard.
  following.catch(() => undefined)
  try {
    const done = await working
    stop.abort()
    await following
    // A run may have ended and another begun that was not heard yet.
    for await (const record of log.read(id, last)) take(record)
    return { done, watched }
  } finally {
    stop.abort()
    await following.catch(() => undefined)
  }
}

function gather(watched: Watched, record: Recorded): void {
  if (record.type === 'tool-end' && record.outcome === 'denied') watched.denied++
  if (record.type === 'turn-end') {
    const said = record.parts.filter(({ type }) => type === 'text')
    if (said.length > 0) watched.said = said
  }
  if (record.type !== 'run-end') return
  if (record.usage) addUsage(watched.usage, record.usage)
  if (record.detail !== undefined) watched.detail = record.detail
}

/** Where watching begins, and what the session is still waiting for a person to answer. */
export async function survey(
  past: Iterable<Recorded> | AsyncIterable<Recorded>,
  door: Door,
): Promise<{ last: number; pending: Recorded[] }> {
  const asked = new Map<string, Recorded>()
  let last = 0
  for await (const record of past) {
    last = record.seq
    door.past(record)
    switch (record.type) {
      case 'approval-ask':
      case 'question-ask':
        asked.set(`${record.callId}`, record)
        break
      case 'approval-answer':
      case 'tool-end':
        asked.delete(record.callId)
        break
      case 'question-answer':
        for (const [callId, ask] of asked) {
          if (ask.type === 'question-ask' && ask.questionId === record.questionId) asked.delete(callId)
        }
        break
      default:
      // Nothing else asks or answers.
    }
  }
  return { last, pending: [...asked.values()] }
}
