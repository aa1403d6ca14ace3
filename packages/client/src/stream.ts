/** Items pushed from outside, pulled by one reader. */
export interface Stream<T> {
  /** How many more fit before the reader has to take some. */
  readonly room: number
  push(item: T): void
  /** What was pushed is still read, then the reader ends or fails. */
  end(error?: unknown): void
  /** The reader ends now. */
  cut(): void
  read(): AsyncGenerator<T, void>
}

/** `onRoom` is called when the reader has emptied it, so that whoever was turned away can come again. */
export function createStream<T>(limit: number, onRoom: () => void = () => undefined): Stream<T> {
  let items: T[] = []
  let over: { error?: unknown } | undefined
  let wake: () => void = () => undefined
  return {
    get room() {
      return limit - items.length
    },
    push(item) {
      if (!over) items.push(item)
      wake()
    },
    end(error) {
      over ??= error === undefined ? {} : { error }
      wake()
    },
    cut() {
      items = []
      over ??= {}
      wake()
    },
    async *read() {
      for (;;) {
        for (let item = items.shift(); item !== undefined; item = items.shift()) yield item
        if (!over) onRoom()
        if (items.length > 0) continue
        if (over && 'error' in over) throw over.error
        if (over) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
