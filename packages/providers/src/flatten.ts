/**
 * The items of batches, one by one. Written by hand because it runs once per delta: an async generator would make
 * several promises for each where one does.
 */
export function flatten<T>(batches: AsyncGenerator<readonly T[]>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let batch: readonly T[] = []
      let at = 0
      async function pull(): Promise<IteratorResult<T>> {
        for (;;) {
          const next = await batches.next()
          if (next.done === true) return { value: undefined, done: true }
          batch = next.value
          at = 1
          if (batch.length > 0) return { value: batch[0] as T, done: false }
        }
      }
      return {
        next() {
          if (at >= batch.length) return pull()
          at += 1
          return Promise.resolve({ value: batch[at - 1] as T, done: false })
        },
        async return() {
          batch = []
          await batches.return(undefined)
          return { value: undefined, done: true }
        },
      }
    },
  }
}
