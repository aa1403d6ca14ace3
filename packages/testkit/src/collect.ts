/** Everything an iterable gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** The first `count` items; then the iterable is closed. */
export async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  if (count === 0) return taken
  for await (const item of items) {
    taken.push(item)
    if (taken.length === count) break
  }
  return taken
}

/** 1, 2, …, n. */
export function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, index) => index + 1)
}
