import { performance } from 'node:perf_hooks'
import type { History, OwnHistory } from '@maru/store'
import { start } from '@maru/testkit'
import { judge, type Verdict } from '../claim.ts'
import { inTurn, summarize, type Timing } from '../side-by-side.ts'
import { tell } from './show.ts'

const ROUNDS = 31
const OPENS = 6
const FORKS = 3

/** Opening the newest fifty and forking, over conversations of several lengths: neither may depend on them. */
export async function benchLength(history: History, own: OwnHistory): Promise<Verdict[]> {
  const lengths = history.kind === 'postgres' ? [100, 1_000, 3_000, 10_000] : [100, 500, 2_000]
  for (const length of lengths) await makeLong(history, own, length)
  const [shortest, longest] = [lengths[0] as number, lengths.at(-1) as number]
  let forks = 0
  const works = {
    open: { times: OPENS, work: (length: number) => own.conversations.messages(`long ${length}`) },
    fork: {
      times: FORKS,
      work: (length: number) =>
        own.log.create(`fork ${forks++}`, { ...start, forkOf: { id: `long ${length}`, seq: length - 1 } }),
    },
  }
  const verdicts: Verdict[] = []
  for (const [name, { times, work }] of Object.entries(works)) {
    const variants = lengths.map((length) => async () => {
      const began = performance.now()
      for (let n = 0; n < times; n++) await work(length)
      return (performance.now() - began) / times
    })
    const runs = await inTurn(variants, { rounds: ROUNDS })
    const timings = lengths.map((length, n) => summarize(`${name}, ${length}`, runs[n] ?? []))
    tell(`${history.kind}: ${name} = ${lineThrough(lengths, timings)}`)
    const text = `${name === 'open' ? 'opening the newest 50' : 'forking'} with ${longest} messages takes no longer than with ${shortest}`
    verdicts.push(judge(timings, { text, of: `${name}, ${longest}`, against: `${name}, ${shortest}`, atMost: 1.3 }))
  }
  return verdicts
}

async function makeLong(history: History, own: OwnHistory, length: number): Promise<void> {
  const id = `long ${length}`
  await own.log.create(id, start)
  await history.engine.as(own.owner, async (db) => {
    const [row] = await db.query<{ no: number }>(
      'select no from maru.conversation where owner = maru.uid() and id = $1',
      [id],
    )
    await db.query(
      `insert into maru.message (session, seq, role, content, at)
       select $1, n, 'user', 'message ' || n, now() from generate_series(2, $2::int) n`,
      [row?.no, length],
    )
    await db.query(
      `insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
       select $1, n, 'foreign', '{}', now(), 0, n, 0 from generate_series(2, $2::int) n`,
      [row?.no, length],
    )
    await db.query('update maru.conversation set head = $2 where owner = maru.uid() and no = $1', [row?.no, length])
  })
}

/** The straight line through the medians, by least squares. */
function lineThrough(lengths: number[], timings: Timing[]): string {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const times = timings.map(({ median }) => median)
  const [x, y] = [mean(lengths), mean(times)]
  const slope =
    lengths.reduce((sum, length, n) => sum + (length - x) * ((times[n] ?? 0) - y), 0) /
    lengths.reduce((sum, length) => sum + (length - x) ** 2, 0)
  const sign = slope < 0 ? '−' : '+'
  return `${(y - slope * x).toFixed(2)} ms ${sign} ${Math.abs(slope * 1000).toFixed(3)} ms for each 1,000 messages`
}
