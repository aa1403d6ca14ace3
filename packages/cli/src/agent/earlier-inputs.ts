import type { Projection } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import type { Invocation } from '../command.ts'
import { sessionsDirectory } from '../sessions/list-sessions.ts'
import { textOf } from './words-lines.ts'

const MOST_INPUTS = 200
// Nobody waits longer for an arrow key than these take to read.
const MOST_SESSIONS = 100
const LONGEST_INPUT = 10_000

/**
 * What people said in the newest sessions of this repository, oldest first. From the logs, where secrets are masked and
 * a deleted session is deleted.
 */
export async function readEarlierInputs(
  place: Pick<Invocation, 'home' | 'repo'>,
  but: string | undefined,
): Promise<string[]> {
  const store = openJsonlStore({ directory: sessionsDirectory(place), now: Date.now })
  const root = place.repo()
  let texts: string[] = []
  // Ids begin with the time.
  for (const id of store.ids().sort().reverse().slice(0, MOST_SESSIONS)) {
    if (id === but) continue
    const said = await store.glance(id, spoken).catch(() => undefined)
    // One that cannot be read has nothing to offer here; "maru doctor" is where it is told.
    if (said?.state.cwd !== root) continue
    texts = [...said.state.texts, ...texts]
    if (texts.length >= MOST_INPUTS) break
  }
  return texts.filter((text, at) => text !== texts[at - 1]).slice(-MOST_INPUTS)
}

interface Spoken {
  cwd?: string
  texts: string[]
}

const spoken: Projection<Spoken> = {
  name: 'spoken',
  version: 1,
  create: () => ({ texts: [] }),
  apply(state, record) {
    if (record.type === 'session-start') {
      if (record.cwd !== undefined) state.cwd = record.cwd
      // What was said before a fork is in the session that it was forked from.
      if (record.forkOf) state.texts = []
    }
    if (record.type !== 'input-admit') return
    const isWhole = record.parts.every((part) => part.type === 'text' && part.blob === undefined)
    const text = textOf(record.parts)
    if (!isWhole || text.trim() === '' || text.length > LONGEST_INPUT) return
    state.texts.push(text)
    if (state.texts.length > MOST_INPUTS) state.texts.shift()
  },
}
