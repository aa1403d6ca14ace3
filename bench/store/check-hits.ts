import type { History, OwnHistory } from '@maru/store'
import type { OwnerName } from './fill.ts'
import { tell } from './show.ts'
import { WORDS } from './ways.ts'

// A word that half of everything holds is compared as far as this.
const MOST = 3_000
const WINDOW = 200

/**
 * Reads every search to its end and compares it with what a plain look at each text finds: the same messages in the same
 * order, none twice. Throws at the first difference.
 */
export async function checkHits(
  history: History,
  owners: ReadonlyMap<OwnerName, OwnHistory>,
  queries: Record<string, string[]>,
): Promise<void> {
  let [searches, hits, wordHits, wordSearches] = [0, 0, 0, 0]
  for (const [name, own] of owners) {
    // Whoever has much is asked fewer: a plain look reads all of it, each time.
    const some = name === 'big' ? 1 : 4
    for (const [kind, words] of Object.entries(queries)) {
      for (const word of words.slice(0, some)) {
        const expected = await look(history, own, word)
        const found = await searchAll(history, own, word)
        if (JSON.stringify(found) !== JSON.stringify(expected)) {
          throw new Error(
            `${history.kind}, ${kind}: "${word}" finds ${found.length} messages of ${name}, not ${expected.length}`,
          )
        }
        searches++
        hits += found.length
        if (history.kind !== 'postgres' || name !== 'middle') continue
        wordHits += await countWords(history, own, word)
        wordSearches += expected.length
      }
    }
  }
  tell(`${history.kind}: ${searches} searches read to their end, ${hits} hits: recall and precision 100 %`)
  if (wordSearches > 0) {
    tell(`${history.kind}: to_tsvector('simple') finds ${((wordHits / wordSearches) * 100).toFixed(0)} % of them`)
  }
}

type Place = { session: number; seq: number }

function look({ engine }: History, { owner }: OwnHistory, word: string): Promise<Place[]> {
  return engine.asOwner((db) =>
    db.query<Place>(
      `select session, seq from maru.message where owner = $1 and strpos(lower(content), lower($2)) > 0
       order by at desc, session desc, seq desc limit ${MOST}`,
      [owner, word],
    ),
  )
}

async function searchAll({ engine }: History, { owner }: OwnHistory, word: string): Promise<Place[]> {
  const all: Place[] = []
  let place: unknown[] = ['infinity', 0, 0]
  while (all.length < MOST) {
    const rows = await engine.as(owner, (db) =>
      db.query<Place & { place: string }>(
        `select s.session, s.seq, s.at::text as place from maru.search(array[$1::text], null::maru.search_filter, $2, $3, $4, ${WINDOW}) s
         order by s.at desc, s.session desc, s.seq desc`,
        [word, ...place],
      ),
    )
    all.push(...rows.map(({ session, seq }) => ({ session, seq })))
    const last = rows.at(-1)
    if (!last || rows.length < WINDOW) break
    place = [last.place, last.session, last.seq]
  }
  return all.slice(0, MOST)
}

async function countWords({ engine }: History, { owner }: OwnHistory, word: string): Promise<number> {
  const sql = WORDS.sql.replace(/limit 60$/, `limit ${MOST}`)
  return (await engine.asOwner((db) => db.query<Place>(sql, [word, owner]))).length
}
