/** Who holds what was uploaded and is in no fact yet: a name for each day, so that old ones can be let go. */
export const UPLOADS = '@upload '

export function uploadsOf(now: number): string {
  return UPLOADS + new Date(now).toISOString().slice(0, 10)
}
