import { type Lease, LogError, type Recorded, type RunnerFact } from '@maru/protocol'
import { collect, start, toolEnd, toolStart, turnEnd, upTo } from '@maru/testkit'
import { expect } from 'vitest'
import {
  type Connection,
  createOutbox,
  createRemoteLive,
  createRemoteLog,
  createView,
  type SocketClass,
} from '../src/index.ts'
import type { Room } from './wire-server.ts'
import { quickly, until } from './world.ts'

export interface StoryPlace {
  url: string
  token: string
  room: Room
  /** Of the runner, and of the door that watches it. */
  runner?: SocketClass
  door?: SocketClass
  turns?: number
}

const PIECES = ['안녕', '하세요, ', 'this is 👩‍💻 ', 'text ', 'without a hole']
const SAID = 4

/**
 * A runner works under a server's log and tells what it says; a door watches it, says things and shows what comes. At
 * its end everything is there once, in order, and at no moment was there a hole in what the door showed.
 */
export async function tellStory({ url, token, room, runner, door, turns = 2 }: StoryPlace): Promise<void> {
  const here = quickly(url, token, { ...(runner && { WebSocket: runner }) })
  const there = quickly(url, token, { ...(door && { WebSocket: door }), door: 'terminal' })
  try {
    const log = createRemoteLog(here)
    // Nobody's agent: a server would begin to work on what is said.
    await log.create('s', { ...start, agent: { kind: 'import' } })
    const watched = watchStory(there)
    const [wanted] = await Promise.all([work(log, here, turns), watched.say()])
    const stored = await collect(room.log.read('s'))
    await until(() => watched.last() === stored.at(-1)?.seq, 'the door has seen everything')
    expect(watched.facts).toEqual(stored)
    expect(stored.map(({ seq }) => seq)).toEqual(upTo(stored.length))
    expect(stored.filter(({ type }) => type !== 'input-admit' && type !== 'session-start').map(bare)).toEqual(wanted)
    expect(stored.filter((fact) => fact.type === 'input-admit').map(({ parts }) => parts)).toEqual(
      upTo(SAID).map((n) => [{ type: 'text', text: `said ${n}` }]),
    )
    expect(watched.shown()).toEqual({ turns: [], outputs: [], messages: stored.filter(isMessage).length })
  } finally {
    here.close()
    there.close()
  }
  await canBeLeased(room)
}

// Whoever comes next can go on; at once, or when a server that was cut off has let go.
async function canBeLeased({ log }: Room): Promise<void> {
  let lease: Lease | undefined
  const isHeld = (error: unknown) => error instanceof LogError && error.code === 'held'
  const until = Date.now() + 60_000
  while (!lease) {
    lease = await log.lease('s').catch((error: unknown) => {
      if (!isHeld(error) || Date.now() > until) throw error
      return undefined
    })
    if (!lease) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await lease.release()
}

async function work(log: ReturnType<typeof createRemoteLog>, connection: Connection, turns: number) {
  const live = createRemoteLive(connection)
  const wanted: RunnerFact[] = []
  const lease = await log.lease('s')
  let own = lease.last
  const append = async (facts: RunnerFact[]) => {
    const written = await log.append('s', { epoch: lease.epoch, expect: own }, facts)
    expect(written.map(bare)).toEqual(facts)
    own = written.at(-1)?.seq ?? own
    wanted.push(...facts)
  }
  for (const n of upTo(turns)) {
    const turnId = `t${n}`
    await append([{ type: 'turn-start', turnId, runId: 'r' }])
    let offset = 0
    for (const text of PIECES) {
      live.publish('s', { type: 'text-delta', turnId, part: 0, offset, text })
      offset += text.length
      // Long enough for some pieces to go by themselves.
      await new Promise((resolve) => setTimeout(resolve, 6))
    }
    await append([turnEnd(turnId, PIECES.join(''))])
    live.settle('s', { turnId })
    await append([toolStart(`c${n}`), toolEnd(`c${n}`)])
  }
  live.close()
  await lease.release()
  await log.close()
  return wanted
}

function watchStory(connection: Connection) {
  const facts: Recorded[] = []
  const whole = PIECES.join('')
  const view = createView({
    onChange() {
      for (const { parts } of view.read().turns) expect(whole.startsWith(parts[0] ?? '')).toBe(true)
    },
  })
  connection.listen('s', 0, {
    ...view,
    facts(fresh) {
      facts.push(...fresh)
      view.facts(fresh)
    },
  })
  const outbox = createOutbox(connection)
  return {
    facts,
    last: () => view.last,
    shown() {
      const { turns, outputs, finished } = view.read()
      return { turns, outputs, messages: finished.filter(({ kind }) => kind === 'message').length }
    },
    async say() {
      const said = upTo(SAID).map((n) =>
        outbox.admit('s', { type: 'input-admit', delivery: 'queue', parts: [{ type: 'text', text: `said ${n}` }] }),
      )
      const seqs = (await Promise.all(said)).map(({ seq }) => seq)
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
      expect(outbox.unsent).toEqual([])
    },
  }
}

function isMessage({ type }: Recorded): boolean {
  return type === 'input-admit' || type === 'turn-end'
}

function bare({ v: _v, seq: _seq, at: _at, ...fact }: Recorded): object {
  return fact
}
