/** A value that is given once, and waited for by whoever needs it. */
export interface Signal<T> {
  readonly given: Promise<T>
  give(value: T): void
  /** It will not be given, and this is why. */
  fail(error: unknown): void
}

export function createSignal<T>(): Signal<T> {
  let give: (value: T) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const given = new Promise<T>((resolve, reject) => {
    give = resolve
    fail = reject
  })
  // Whoever waits for it hears of it; nobody may be waiting yet.
  given.catch(() => undefined)
  return { given, give, fail }
}
