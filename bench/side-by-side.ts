import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'

/** One of the things compared: a program to run to its end, or a function to await. */
export type Variant = { name: string; command: readonly string[] } | { name: string; run: () => Promise<unknown> }

/** What was measured of one variant, run by run: milliseconds, if nothing else is said. */
export type Timing = { name: string; unit: 'ms' | 'MB' | 'kB'; min: number; median: number; runs: readonly number[] }

/**
 * Times the variants in turn, round by round, so that whatever else the machine does falls on all of them alike.
 * Each round starts with another variant, as the first after a pause is often the slowest.
 */
export async function sideBySide(
  variants: readonly Variant[],
  { rounds, warmups = 2 }: { rounds: number; warmups?: number },
): Promise<Timing[]> {
  const timed = variants.map((variant) => async () => {
    const start = performance.now()
    await perform(variant)
    return performance.now() - start
  })
  const runs = await inTurn(timed, { rounds, warmups })
  return variants.map(({ name }, index) => summarize(name, runs[index] ?? []))
}

/** The same for what gives its own measurements: those of each variant, round by round. */
export async function inTurn<T>(
  variants: readonly (() => Promise<T>)[],
  { rounds, warmups = 2 }: { rounds: number; warmups?: number },
): Promise<T[][]> {
  const results = variants.map((): T[] => [])
  for (let round = -warmups; round < rounds; round++) {
    for (let turn = 0; turn < variants.length; turn++) {
      const index = (turn + round + warmups) % variants.length
      const result = await variants[index]?.()
      if (round >= 0 && result !== undefined) results[index]?.push(result)
    }
  }
  return results
}

/** Minimum and median of a list of measurements. */
export function summarize(name: string, runs: readonly number[], unit: Timing['unit'] = 'ms'): Timing {
  const sorted = [...runs].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
  return { name, unit, min: sorted[0] ?? Number.NaN, median, runs }
}

async function perform(variant: Variant): Promise<void> {
  if ('run' in variant) await variant.run()
  else await runProgram(variant.command)
}

function runProgram([program = '', ...args]: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`"${[program, ...args].join(' ')}" ended with ${code}; a bench times only what works`))
    })
  })
}
