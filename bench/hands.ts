import { judge, type Verdict } from './claim.ts'
import { openContest, type Run } from './engine/contest.ts'
import { COMMANDS, PATCHES, TURNS } from './engine/workload.ts'
import { inTurn, summarize, type Timing } from './side-by-side.ts'

const MARU = 'maru run'
const BARE = 'bare script'
const FILES = 5_000

/** What hands cost in a repository of some size, turn by turn, beside a script that reads, writes and runs the same. */
export async function benchHands(root: string): Promise<Verdict[]> {
  const contest = await openContest(root, { files: FILES })
  try {
    const measure = async (work: { prompt: string; requests: number }) => {
      const [bare = [], maru = []] = await inTurn([() => contest.bare(work), () => contest.maru(work)], { rounds: 8 })
      return [summarize(BARE, bare.flatMap(laterTurns)), summarize(MARU, maru.flatMap(laterTurns))]
    }
    const claim = { of: MARU, against: BARE }
    const reads = await measure(TURNS)
    const patches = await measure(PATCHES)
    const commands = await measure(COMMANDS)
    const fit = fitLine([...(await measureSizes(root, [100, 1_000, 2_500])), [FILES, medianOf(commands)]])
    const within = `in ${FILES} files`
    return [
      judge(reads, { ...claim, text: `a turn that reads a file, ${within}`, atMostMore: 5 }),
      judge(patches, { ...claim, text: `a turn that applies a patch, ${within}`, atMostMore: 5 }),
      judge(commands, {
        ...claim,
        text: `a turn that runs a command between two snapshots, ${within}; fit over 100 to ${FILES} files: ${fit}`,
        atMostMore: 30,
      }),
    ]
  } finally {
    await contest.close()
  }
}

// The first has to load what the others find.
function laterTurns({ exchanges }: Run): number[] {
  const turns = exchanges.slice(1).map(({ receivedAt }, index) => receivedAt - (exchanges[index]?.answeredAt ?? 0))
  return turns.slice(1)
}

function medianOf(timings: Timing[]): number {
  return timings.find(({ name }) => name === MARU)?.median ?? Number.NaN
}

type Point = [files: number, ms: number]

async function measureSizes(root: string, sizes: number[]): Promise<Point[]> {
  const points: Point[] = []
  for (const files of sizes) {
    const contest = await openContest(root, { files })
    try {
      const [runs = []] = await inTurn([() => contest.maru(COMMANDS)], { rounds: 4, warmups: 1 })
      points.push([files, summarize(MARU, runs.flatMap(laterTurns)).median])
    } finally {
      await contest.close()
    }
  }
  return points
}

// Least squares.
function fitLine(points: Point[]): string {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([files]) => files)), mean(points.map(([, ms]) => ms))]
  const slope =
    mean(points.map(([files, ms]) => (files - x) * (ms - y))) / mean(points.map(([files]) => (files - x) ** 2))
  return `${(y - slope * x).toFixed(1)} ms and ${(slope * 1000).toFixed(1)} ms for each 1,000 files`
}
