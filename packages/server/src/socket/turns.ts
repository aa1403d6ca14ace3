/** Lets so many in at a time, in the order in which they came. Gives back how to let the next one in. */
export function createTurns(most: number): () => Promise<() => void> {
  let free = most
  const waiting: (() => void)[] = []
  const letNext = () => {
    // The place is handed over, so that nobody who comes in between takes it.
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return letNext
  }
}
