import type { Recorded, SessionLog } from '@maru/protocol'
import { expect, test } from 'vitest'
import { watchSession } from '../src/session/door.ts'
import type { OpenSession } from '../src/session/open-session.ts'

const usage = { input: 1, output: 1 }
const fact = (seq: number, rest: object) => ({ seq, at: seq, v: 1, ...rest }) as Recorded
const facts = [
  fact(2, { type: 'run-end', runId: 'first', reason: 'done', usage }),
  fact(3, { type: 'run-start', runId: 'second', inputs: [1] }),
  fact(4, { type: 'run-end', runId: 'second', reason: 'done', usage }),
]

// Heard so far: the end of a first run, while a second one has begun and ended already.
const lagging = {
  async *follow(_id: string, _after: number, signal: AbortSignal) {
    yield* facts.slice(0, 1)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  },
  async *read(_id: string, after = 0) {
    yield* facts.filter(({ seq }) => seq > after)
  },
} as Partial<SessionLog> as SessionLog

test('whoever lags behind when the work is done still hears of every run', async () => {
  const heard: number[] = []
  const session = { id: 'a', log: lagging } as OpenSession
  const { watched } = await watchSession(session, { after: 1, onFact: ({ seq }) => heard.push(seq) }, async () => {
    await new Promise((resolve) => setImmediate(resolve))
  })
  expect(heard).toEqual([2, 3, 4])
  expect(watched.usage).toEqual({ input: 2, output: 2 })
})
