import type { SessionRow } from './list-sessions.ts'

const UNITS: { readonly [unit: string]: number } = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
}

/** Milliseconds of an age like `30d`, `12h`, `8w` or `1y`; nothing where it is none. */
export function parseAge(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([hdwy])$/.exec(text) ?? []
  const size = UNITS[unit]
  return count === undefined || size === undefined ? undefined : Number(count) * size
}

/** Which of the sessions, newest first, are to go: those that are older, and not among the newest that are kept. */
export function choosePrunable(
  rows: readonly SessionRow[],
  { olderThan = 0, keep = 0, now }: { olderThan?: number | undefined; keep?: number | undefined; now: number },
): SessionRow[] {
  return rows.slice(keep).filter(({ changedAt }) => changedAt <= now - olderThan)
}
