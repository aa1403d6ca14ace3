/** Where a secret stands in a text, and of what kind it is. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Takes note of a secret. */
export type Found = (start: number, end: number, kind: string) => void

/** Which numbers of people are looked for beside credentials: what identifies them, and how they are reached. */
export interface DetectOptions {
  readonly isContactSecret: boolean
}

/** Spans in order and without overlap; where some overlap they are one, of the kind of the first. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}
