/** A value that is given once, and waited for by whoever needs it. */
export interface Signal<T> {
  readonly given: Promise<T>
  give(value: T): void
}

export function createSignal<T>(): Signal<T> {
  let give: (value: T) => void = () => undefined
  const given = new Promise<T>((resolve) => {
    give = resolve
  })
  return { given, give }
}
