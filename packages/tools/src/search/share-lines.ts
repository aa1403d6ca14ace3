import type { FoundFile, FoundPlace } from './look-into.ts'

// A file with many matches shall not push out the others.
const FEWEST = 5

/**
 * Gives `limit` lines to the files in their order: each gets a fair share first, then what is left goes to the best. Of
 * the lines of a file its definitions come first. Files that get no line are left out.
 */
export function shareLines(files: readonly FoundFile[], limit: number): FoundFile[] {
  const share = Math.max(FEWEST, Math.floor(limit / Math.max(files.length, 1)))
  let room = limit
  const taken = files.map(({ places }) => {
    const count = Math.min(places.length, share, room)
    room -= count
    return count
  })
  return files.flatMap((file, index) => {
    const own = taken[index] ?? 0
    const count = Math.min(file.places.length, own + room)
    room -= count - own
    if (count === 0 && file.tooLarge === undefined) return []
    return [{ ...file, places: pick(file.places, count) }]
  })
}

function pick(places: readonly FoundPlace[], count: number): FoundPlace[] {
  const definitions = places.filter(({ isDefinition }) => isDefinition).slice(0, count)
  const others = places.filter(({ isDefinition }) => !isDefinition).slice(0, count - definitions.length)
  return [...definitions, ...others].sort((a, b) => a.line.number - b.line.number)
}
