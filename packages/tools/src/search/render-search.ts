import type { FoundFile, FoundLine } from './look-into.ts'
import type { TextFound } from './search-text.ts'
import { shownPath } from './shown-path.ts'

// Room for the line that states what was left out.
const NOTICE = 160

/** What was found as text for the model, within `limit` characters; whatever is left out is said at the end. */
export function renderSearch(found: TextFound, limit: number): string {
  const pieces: string[] = []
  let length = 0
  let shownLines = 0
  let shownFiles = 0
  for (const file of found.files) {
    const { text, count } = renderFile(file, limit - NOTICE - length)
    if (text === '') break
    pieces.push(text)
    length += text.length + 1
    shownLines += count
    shownFiles++
  }
  const { lines, files } = found.total
  if (shownLines < lines || shownFiles < files) {
    const shown = `[${shownLines} of ${lines} matching lines shown, in ${shownFiles} of ${files} files, best first`
    pieces.push(`${shown}; narrow it with include, exclude or a longer query]`)
  }
  return pieces.join('\n')
}

function renderFile(file: FoundFile, room: number): { text: string; count: number } {
  const heading = headingOf(file)
  if (heading.length + 1 > room) return { text: '', count: 0 }
  const rows: string[] = [heading]
  let length = heading.length + 1
  let count = 0
  let last = 0
  for (const [index, place] of file.places.entries()) {
    const next = file.places[index + 1]?.line.number ?? Number.POSITIVE_INFINITY
    const lines = [...place.before, place.line, ...place.after].filter(
      ({ number, isMatch }) => number > last && (isMatch || number < next),
    )
    const gap = last > 0 && (lines[0]?.number ?? 0) > last + 1 && place.before.length + place.after.length > 0
    const block = [...(gap ? ['--'] : []), ...lines.map(renderLine)].join('\n')
    if (length + block.length + 1 > room) break
    rows.push(block)
    length += block.length + 1
    count++
    last = lines.at(-1)?.number ?? last
  }
  return count === 0 && file.places.length > 0 ? { text: '', count } : { text: rows.join('\n'), count }
}

function headingOf({ path, matches, places, lines, tooLarge }: FoundFile): string {
  const name = shownPath(path)
  if (tooLarge !== undefined) {
    return `${name} (${countOf(matches, 'match', 'matches')}; too large to show, ${Math.ceil(tooLarge / 1024 / 1024)} MB)`
  }
  const more = places.length < lines ? `, ${places.length} of ${lines} lines chosen` : ''
  return lines === 1 ? name : `${name} (${countOf(matches, 'match', 'matches')}${more})`
}

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function renderLine({ number, text, isMatch }: FoundLine): string {
  return `${number}${isMatch ? ':' : '-'}\t${text}`
}
