import type { Queries } from './engine.ts'
import { filterOf, SEARCH, type SearchFilter } from './search.ts'

// Words with more hits than these are frequent: then it is quicker to look into one conversation after the other.
const WINDOW = 200
const WINDOWS = 2

/** Which conversations the search finds, or that it finds too many. */
export async function findMatching(db: Queries, words: string[], filter: SearchFilter): Promise<string[] | undefined> {
  const found = new Set<string>()
  let place: unknown[] = ['infinity', 0, 0]
  for (let n = 0; n < WINDOWS; n++) {
    const hits = await db.query<{ at: number; session: number; seq: number; conversation: string }>(SEARCH, [
      words,
      ...filterOf(filter),
      ...place,
      WINDOW,
    ])
    for (const { conversation } of hits) found.add(conversation)
    const last = hits.at(-1)
    if (hits.length < WINDOW || !last) return [...found]
    place = [new Date(last.at).toISOString(), last.session, last.seq]
  }
  return undefined
}

/**
 * Whether a conversation `c` holds the words in its title or in a message, by the same rules as the search: what is hidden
 * does not count, an inherited message counts where it was said, and what only forks still read counts for the first.
 */
export function holds(c: string, words: string): string {
  const wanted = `all ((select maru.patterns(${words}::text[]))::text[])`
  return `(lower(${c}.title) like ${wanted} or exists (
    select from maru.message m where m.owner = maru.uid() and m.session = any(array(
        with recursive up (no, parent) as (
          select ${c}.no, ${c}.parent
          union all
          select p.no, p.parent from up join maru.conversation p on p.owner = maru.uid() and p.no = up.parent and p.id is null
        ) select no from up))
      and lower(m.content) like ${wanted}
      and (select h.seq from maru.hidden h where h.owner = maru.uid() and h.session = m.session and h.target = m.seq) is null
      and (m.role <> 'title'
        or (select t.title_seq from maru.conversation t where t.owner = maru.uid() and t.no = m.session) = m.seq)
      and (m.session = ${c}.no or maru.heir(m.session, m.seq) = ${c}.no)))`
}

/** The same where the search has said which. */
export function isAmong(c: string, { ids, words }: { ids: string; words: string }): string {
  return `(${c}.id = any(${ids}::text[]) or lower(${c}.title) like all ((select maru.patterns(${words}::text[]))::text[]))`
}
