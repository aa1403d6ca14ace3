/** Microseconds of the one clock that all processes of a machine share. */
export function micros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

export interface Memory {
  rss: number
  heap: number
}

/** What a process holds, after everything that nobody needs is gone. */
export async function measureMemory(): Promise<Memory> {
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    gc?.()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}

/** One of a hundred that is greater than so many of them. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
