/** Makes vendor ids from one counter, so that the same script always gives the same bytes. */
export type Ids = { next(prefix: string): string }

export function createIds(): Ids {
  let count = 0
  return {
    next(prefix) {
      count += 1
      return `${prefix}01${String(count).padStart(22, '0')}`
    },
  }
}
