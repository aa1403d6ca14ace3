const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes as people read it. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))))
  const count = bytes / 1024 ** power
  return `${power === 0 || count >= 100 ? Math.round(count) : count.toFixed(1)} ${UNITS[power]}`
}
