const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

/**
 * A moment as a person writes it: a day, a day and a time, both of this machine's clock, or how long ago (`12h`, `7d`,
 * `2w`). Where a day is meant as an end, it ends when it is over.
 */
export function parseTime(text: string, { now, isEnd = false }: { now: number; isEnd?: boolean }): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS]
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (day) return dayAt(day.slice(1).map(Number), isEnd)
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)) return undefined
  const time = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : time
}

function dayAt([year = 0, month = 0, date = 0]: number[], isEnd: boolean): number | undefined {
  const start = new Date(year, month - 1, date)
  // A day that does not exist becomes another one.
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined
  return isEnd ? new Date(year, month - 1, date + 1).getTime() : start.getTime()
}

/** A moment by this machine's clock, to the minute. */
export function localTime(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
