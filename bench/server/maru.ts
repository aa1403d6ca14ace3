import { createWriteStream } from 'node:fs'
import { devNull } from 'node:os'
import { startServer, type Workshop } from '@maru/server'
import { type History, type OwnHistory, openHistory } from '@maru/store'
import { answerParent } from './answer-parent.ts'
import type { Place } from './databases.ts'
import { measureMemory, micros } from './measure.ts'

/** When something was there to be told: which session, which fact, microseconds. */
export type Stamp = [session: string, seq: number, at: number]

let stamps: Stamp[] = []

const answers = {
  /** Serves a history; gives back where. */
  async open(place: Place): Promise<string> {
    const history = await openHistory({ ...place, now: Date.now, isDurable: false })
    const log = createWriteStream(devNull)
    const { url } = await startServer({
      ...{ history: stamping(history), access: history.access, workshop, owner: place.owner, version: '0' },
      ...{ host: '127.0.0.1', port: 0, roots: [], allowedOrigins: [], now: Date.now },
      limits: { sockets: 20_000, socketsEach: 20_000, messagesPerMinute: 100_000_000 },
      onLog: (entry) => void log.write(`${JSON.stringify(entry)}\n`),
    })
    return url
  },
  /** What was stored since the last time. */
  async stamps(): Promise<Stamp[]> {
    const some = stamps
    stamps = []
    return some
  },
  memory: measureMemory,
}
export type MaruAnswers = typeof answers

answerParent(answers)

const refuse = () => Promise.reject(new Error('not in this bench'))
const workshop: Workshop = {
  openAgent: refuse,
  diff: refuse,
  undo: refuse,
  importUpload: refuse,
  async *exportConversation(_own, id) {
    yield id
  },
}

// The moment from which a message is acknowledged is known only here: the store has it.
function stamping(history: History): History {
  const stamped = (own: OwnHistory): OwnHistory => {
    const { log } = own
    const admit = log.admit.bind(log)
    log.admit = async (id, fact) => {
      const record = await admit(id, fact)
      stamps.push([id, record.seq, micros()])
      return record
    }
    return own
  }
  return { ...history, openOwner: async (owner, options) => stamped(await history.openOwner(owner, options)) }
}
