import { decide, loadJudge, type Verdict } from '@maru/guard'
import { createRandom } from '../bench/patches/random.ts'
import { DANGEROUS } from './commands/dangerous.ts'
import { mutateCommand } from './commands/mutate-command.ts'

/** What a run of the proof saw. */
export interface FuzzCommandsReport {
  lines: number
  asked: number
  denied: number
}

interface Options {
  /** Rounds over all dangerous commands. */
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

const PLACE = { cwd: '/w', root: '/w', home: '/home/u' }

/**
 * Writes dangerous commands in ever other ways (quoted, split, computed, wrapped, carried by other programs) and judges
 * them: none is ever allowed, with a sandbox or without, and no line makes the judge fail. Throws at the first that is.
 */
export async function proveFuzzCommands({ times = 20, seconds, seed = Date.now(), log = () => undefined }: Options) {
  const { judgeLine } = await loadJudge()
  const report: FuzzCommandsReport = { lines: 0, asked: 0, denied: 0 }
  const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
  for (let round = 0; until === undefined ? round < times : Date.now() < until; round++) {
    const random = createRandom(seed + round)
    for (const dangerous of DANGEROUS) {
      const line = mutateCommand(dangerous, random)
      const { accesses } = judgeLine(line, PLACE)
      const verdicts = (['full', 'none'] as const).map((sandbox) => decide(accesses, { mode: 'ask', sandbox }).verdict)
      if (verdicts.includes('allow')) {
        throw new Error(`seed ${seed + round}: allowed, but it is "${dangerous.words.join(' ')}":\n${line}`)
      }
      count(report, verdicts[0] ?? 'ask')
    }
    if (round % 500 === 499) log(`${round + 1} rounds from seed ${seed}: ${JSON.stringify(report)}`)
  }
  return report
}

function count(report: FuzzCommandsReport, verdict: Verdict): void {
  report.lines++
  if (verdict === 'deny') report.denied++
  else report.asked++
}
