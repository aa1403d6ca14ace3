/** Cuts text into deltas of about `size` UTF-16 units, never inside a character. */
export function* cutText(text: string, size: number): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = start + size
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end += 1
    yield text.slice(start, end)
    start = end
  }
}

/** Cuts argument JSON anywhere, even inside an escape or a surrogate pair, as vendors do. */
export function* cutJson(json: string, size: number): Generator<string> {
  for (let start = 0; start < json.length; start += size) yield json.slice(start, start + size)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Takes one element of each in turn until all are used up. */
export function* takeTurns<T>(sources: readonly Iterable<T>[]): Generator<T> {
  let open = sources.map((source) => source[Symbol.iterator]())
  while (open.length > 0) {
    const still: Iterator<T>[] = []
    for (const source of open) {
      const next = source.next()
      if (next.done === true) continue
      yield next.value
      still.push(source)
    }
    open = still
  }
}
