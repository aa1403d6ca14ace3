/** What an Origin header must be to be compared at all: exactly an origin, as browsers print it. */
export function parseOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text)) return undefined
  try {
    const { origin } = new URL(text)
    return origin === text ? origin : undefined
  } catch {
    return undefined
  }
}

/** The origins of a configuration; one that is none is an error, not a rule that never matches. */
export function readOrigins(entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.map((entry) => {
      const origin = parseOrigin(entry.replace(/\/$/, ''))
      if (origin === undefined) throw new Error(`"${entry}" is not an origin: write it as https://app.example.com`)
      return origin
    }),
  )
}

/** Which page asks: one of ours, one that is allowed, none that says so, or one that is refused. */
export type Asker = 'own' | 'allowed' | 'none' | 'refused'

export function judgeOrigin(
  header: string | undefined,
  { own, allowed }: { own: string; allowed: ReadonlySet<string> },
): Asker {
  if (header === undefined) return 'none'
  const origin = parseOrigin(header)
  if (origin === undefined) return 'refused'
  if (allowed.has(origin)) return 'allowed'
  return origin === parseOrigin(own) ? 'own' : 'refused'
}
