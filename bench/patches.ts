import { judge, type Verdict } from './claim.ts'
import { APPLIERS, OURS } from './patches/appliers.ts'
import { type Judgement, judgeOutcome, type PatchRow, readPatchCorpus } from './patches/corpus.ts'
import { summarize, type Timing } from './side-by-side.ts'

const JUDGEMENTS = ['correct', 'wrong', 'rejected', 'half-applied'] as const satisfies Judgement[]

/** More than this share of the corpus has to be dealt with correctly. */
const LEAST_CORRECT = 0.83

// Patches are counted here, not timed.
const PATCHES = 'patches' as string as Timing['unit']

type Counts = Record<Judgement, number>

/**
 * What ours makes of real patches that were damaged as models damage them, beside what others make of them. It needs
 * `MARU_CORPORA`; `MARU_BENCH_PATCHES` takes so many of the patches only, spread over all.
 */
export async function benchPatches(): Promise<Verdict[]> {
  const rows = sample(readPatchCorpus())
  const table = new Map<string, Counts>()
  for (const { name, apply } of APPLIERS) {
    const counts: Counts = { correct: 0, wrong: 0, rejected: 0, 'half-applied': 0 }
    for (const row of rows) counts[judgeOutcome(row, await apply(row))]++
    table.set(name, counts)
  }
  process.stderr.write(`${describeTable(table, rows.length)}\n\n`)
  const timings = (of: (counts: Counts) => number) =>
    [...table].map(([name, counts]) => summarize(name, [of(counts)], PATCHES))
  const most = Math.ceil(rows.length * (1 - LEAST_CORRECT))
  return [
    judge(
      timings(({ correct }) => rows.length - correct),
      { of: OURS, text: `(a) not dealt with correctly, of ${rows.length}`, under: most },
    ),
    judge(
      timings(({ wrong }) => wrong),
      { of: OURS, text: '(b) applied otherwise than meant', under: 1 },
    ),
    judge(
      timings((counts) => counts['half-applied']),
      { of: OURS, text: '(c) refused, but changed something', under: 1 },
    ),
  ]
}

function sample(rows: readonly PatchRow[] | undefined): readonly PatchRow[] {
  if (!rows) throw new Error('set MARU_CORPORA to the folder with the test data: the patches are there')
  const wanted = Number(process.env['MARU_BENCH_PATCHES'] ?? rows.length)
  const step = Math.max(1, Math.ceil(rows.length / Math.max(1, wanted)))
  return rows.filter((_, index) => index % step === 0)
}

function describeTable(table: ReadonlyMap<string, Counts>, total: number): string {
  const head = `| ${total} patches | ${JUDGEMENTS.join(' | ')} | share correct |`
  const line = `|---|${JUDGEMENTS.map(() => '---').join('|')}|---|`
  const body = [...table].map(([name, counts]) => {
    const share = ((counts.correct / total) * 100).toFixed(1)
    return `| ${name} | ${JUDGEMENTS.map((judgement) => counts[judgement]).join(' | ')} | ${share} % |`
  })
  return [head, line, ...body].join('\n')
}
