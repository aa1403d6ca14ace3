import { judge, type Verdict } from './claim.ts'
import { openContest, type Run } from './engine/contest.ts'
import { COMMANDS, PATCHES, TURNS } from './engine/workload.ts'
import { inTurn, summarize, type Timing } from './side-by-side.ts'

const MARU = 'maru run'
const BARE = 'bare script'
const FILES = 5_000
const SMALL = '100 files'

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
    const [, ran] = await measure(COMMANDS)
    const commands = { ...(ran ?? summarize(MARU, [])), name: `${FILES} files` }
    const sizes = await measureSizes(root, [100, 1_000, 2_500])
    const fit = fitLine([...sizes.map(({ files, timing }): Point => [files, timing.median]), [FILES, commands.median]])
    const within = `in ${FILES} files`
    return [
      judge(reads, { ...claim, text: `a turn that reads a file, ${within}`, atMostMore: 5 }),
      judge(patches, { ...claim, text: `a turn that applies a patch, ${within}`, atMostMore: 5 }),
      // The one before it is the other's end, and a small repository has next to nothing to look at.
      judge([...sizes.slice(0, 1).map(({ timing }) => timing), commands], {
        of: commands.name,
        against: SMALL,
        text: `what the snapshot adds to a command's turn, ${within}; fit over 100 to ${FILES} files: ${fit}`,
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

type Point = [files: number, ms: number]

async function measureSizes(root: string, sizes: number[]): Promise<{ files: number; timing: Timing }[]> {
  const points: { files: number; timing: Timing }[] = []
  for (const files of sizes) {
    const contest = await openContest(root, { files })
    try {
      const [runs = []] = await inTurn([() => contest.maru(COMMANDS)], { rounds: 4, warmups: 1 })
      points.push({ files, timing: summarize(`${files} files`, runs.flatMap(laterTurns)) })
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
