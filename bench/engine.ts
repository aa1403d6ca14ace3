import { judge, type Verdict } from './claim.ts'
import { type Contest, openContest, type Run } from './engine/contest.ts'
import { STREAM, TASK, TURNS } from './engine/workload.ts'
import { inTurn, summarize, type Timing } from './side-by-side.ts'

const MARU = 'maru run'
const BARE = 'bare script'

const ENGINE = 'engine, plain tools'
const GUARDED = 'engine, hands, guard'

/**
 * What the engine, and all that stands on it, costs beside the least script that does the same: the same vendor, the same
 * requests, one run. The task is done by each layer, so that it can be seen which of them takes how much.
 */
export async function benchEngine(root: string): Promise<Verdict[]> {
  const contest = await openContest(root)
  try {
    const measure = async (work: { prompt: string; requests: number }, rounds: number) => {
      const [bare = [], maru = []] = await inTurn([() => contest.bare(work), () => contest.maru(work)], { rounds })
      return { bare, maru }
    }
    const stream = await measure(STREAM, 15)
    const task = await measureLayers(contest)
    const times = task(({ ms }) => [ms])
    const turns = await measure(TURNS, 8)
    if (stream.maru.some(({ stdout }) => stdout.length < STREAM.deltas * 10))
      throw new Error('the answer was not shown')
    const both = { of: MARU, against: BARE }
    return [
      judge(
        compare(stream, ({ ms }) => [ms]),
        {
          ...both,
          text: `(a) 200 kB in ${STREAM.deltas} deltas, through the log to stdout, start to exit`,
          atMost: 1.2,
        },
      ),
      judge(times, {
        of: ENGINE,
        against: BARE,
        text: '(b) a task of four requests (read, edit, test, answer), start to exit: the engine itself',
        atMost: 1.6,
      }),
      judge(times, {
        of: GUARDED,
        against: BARE,
        text: '(b) the same with our tools, policy, secrets and sandbox',
        atMost: 2,
      }),
      judge(times, {
        ...both,
        text: '(b) the same as a whole: configuration, terminal and all',
        atMost: 2.2,
      }),
      judge(task(firstRequest), { ...both, text: '(c) from process start to the first request', atMost: 1.6 }),
      judge(
        compare(stream, ({ megabytes }) => [megabytes], 'MB'),
        {
          of: MARU,
          text: '(d) peak memory, with the long answer',
          under: 80,
        },
      ),
      judge(
        task(({ exchanges }) => exchanges.slice(0, 1).map(({ bodyBytes }) => bodyBytes / 1000), 'kB'),
        {
          of: MARU,
          text: '(e) the first request',
          under: 10,
        },
      ),
      judge(compare(turns, toolTurns), {
        ...both,
        text: "(f) a tool turn: from the answer's last byte to the next request",
        atMostMore: 5,
      }),
    ]
  } finally {
    await contest.close()
  }
}

/** Has each layer do the task; what it gives takes measurements from that. */
async function measureLayers(
  contest: Contest,
): Promise<(of: (run: Run) => number[], unit?: Timing['unit']) => Timing[]> {
  const agents = {
    [BARE]: contest.bare,
    [ENGINE]: await contest.addLayer('engine'),
    [GUARDED]: await contest.addLayer('guarded'),
    [MARU]: contest.maru,
  }
  const runs = await inTurn(
    Object.values(agents).map((agent) => () => agent(TASK)),
    { rounds: 40 },
  )
  return (of, unit) => Object.keys(agents).map((name, at) => summarize(name, (runs[at] ?? []).flatMap(of), unit))
}

function compare(runs: { bare: Run[]; maru: Run[] }, of: (run: Run) => number[], unit?: Timing['unit']): Timing[] {
  return [summarize(BARE, runs.bare.flatMap(of), unit), summarize(MARU, runs.maru.flatMap(of), unit)]
}

function firstRequest({ startedAt, exchanges }: Run): number[] {
  return exchanges.slice(0, 1).map(({ receivedAt }) => receivedAt - startedAt)
}

function toolTurns({ exchanges }: Run): number[] {
  return exchanges.slice(1).map(({ receivedAt }, index) => receivedAt - (exchanges[index]?.answeredAt ?? Number.NaN))
}
