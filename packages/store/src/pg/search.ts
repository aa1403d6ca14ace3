import { LogError } from '@maru/protocol'
import { type Engine, toTime } from './engine.ts'
import { storableText } from './message-row.ts'

/** What hits are narrowed to; times are when a message was said, `until` not included. */
export interface SearchFilter {
  project?: string
  service?: string
  role?: 'user' | 'assistant' | 'system' | 'note' | 'title'
  tag?: string
  since?: number
  until?: number
}

/** A message, or a title, that holds every word. */
export interface Hit {
  conversation: string
  seq: number
  title?: string
  role: string
  at: number
  /** Plain text around the first word, and where in it the words stand. */
  snippet: string
  ranges: [start: number, end: number][]
  score: number
}

/** Hits of one window of time, the best first; windows follow each other from new to old. */
export interface HitPage {
  hits: Hit[]
  /** Where the next window begins; none when there is no more. */
  next?: string
}

export interface SearchOptions {
  filter?: SearchFilter
  cursor?: string
  /** Hits in a window, at most. */
  window?: number
  now: number
}

const WINDOW = 60
const LONGEST = 256
const MOST_WORDS = 12

/** Finds the messages and titles that hold all words of a query, also inside longer words, in any case. */
export async function searchHistory(
  engine: Engine,
  owner: string,
  { query, ...options }: SearchOptions & { query: string },
): Promise<HitPage> {
  const words = wordsOf(query)
  if (words.length === 0) return { hits: [] }
  const window = Math.min(Math.max(1, Math.trunc(options.window ?? WINDOW) || WINDOW), 200)
  const rows = await engine.read(owner, (db) =>
    db.query<FoundRow>(SEARCH, [words, ...filterOf(options.filter ?? {}), ...placeOf(options.cursor), window]),
  )
  const hits = rows.map((row) => hitOf(row, words, options.now)).sort((a, b) => b.score - a.score)
  const oldest = rows.length === window ? rows.at(-1) : undefined
  return { hits, ...(oldest && { next: `${oldest.at}.${oldest.session}.${oldest.seq}` }) }
}

/** The words of a query as they are looked for. */
export function wordsOf(query: string): string[] {
  const words = storableText(query.slice(0, LONGEST)).toLowerCase().split(/\s+/u)
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MOST_WORDS)
}

interface FoundRow {
  session: number
  seq: number
  at: number
  role: string
  conversation: string
  title: string | null
  excerpt: string
  is_cut: boolean
  fit: number
}

/** The statement behind a window of hits. */
export const SEARCH = `
  select * from maru.search($1::text[], row($2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz)::maru.search_filter,
    $8::timestamptz, $9::bigint, $10::int, $11::int)
  order by at desc, session desc, seq desc`

/** A filter as the statement takes it. */
export function filterOf({ project, service, role, tag, since, until }: SearchFilter): unknown[] {
  const time = (at: number | undefined) => (at === undefined ? null : toTime(at))
  const text = (value: string | undefined) => (value === undefined ? null : storableText(value))
  return [text(project), text(service), role ?? null, text(tag), time(since), time(until)]
}

function placeOf(cursor: string | undefined): unknown[] {
  if (cursor === undefined) return ['infinity', 0, 0]
  const [, at, session, seq] = /^(-?\d{1,15})\.(\d{1,15})\.(\d{1,10})$/.exec(cursor) ?? []
  if (at === undefined) throw new LogError('rejected', `"${cursor}" is not a place in these hits`)
  return [toTime(Number(at)), Number(session), Math.min(Number(seq), 2 ** 31 - 1)]
}

const DAY_MS = 86_400_000

function hitOf(row: FoundRow, words: string[], now: number): Hit {
  const lead = row.is_cut ? '…' : ''
  const snippet = lead + row.excerpt
  // A month ago is worth half of what today is.
  const recency = 2 / (1 + Math.max(0, now - row.at) / DAY_MS / 30)
  return {
    conversation: row.conversation,
    seq: row.seq,
    ...(row.title !== null && { title: row.title }),
    role: row.role,
    at: row.at,
    snippet,
    ranges: rangesOf(snippet, words),
    score: row.fit + recency + words.reduce((sum, word) => sum + standing(snippet, word), 0),
  }
}

// A word of its own is worth more than the beginning of one, and that more than the inside. Judged by what is shown: a
// database that knows all letters takes longer for it than for the search itself.
function standing(text: string, word: string): number {
  let best = 1
  const low = lowered(text)
  for (let at = low.indexOf(word); at >= 0 && best < 3; at = low.indexOf(word, at + 1)) {
    if (isLetter(low.slice(0, at).at(-1))) continue
    best = isLetter(low.charAt(at + word.length)) ? 2 : 3
  }
  return best
}

function isLetter(unit: string | undefined): boolean {
  return unit !== undefined && /[\p{L}\p{N}_]/u.test(unit)
}

/** Where words stand in a text; those that touch are one. */
export function rangesOf(text: string, words: string[]): [number, number][] {
  const low = lowered(text)
  const found: [number, number][] = []
  for (const word of words) {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) found.push([at, at + word.length])
  }
  found.sort((a, b) => a[0] - b[0])
  const merged: [number, number][] = []
  for (const [start, end] of found) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

// Letter by letter: some small letters are longer than their capital, and places would shift.
function lowered(text: string): string {
  return Array.from({ length: text.length }, (_, n) => lowerUnit(text.charAt(n))).join('')
}

function lowerUnit(unit: string): string {
  const low = unit.toLowerCase()
  return low.length === unit.length ? low : unit
}
