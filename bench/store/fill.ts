import type { History } from '@maru/store'
import type { Chat } from './make-chat.ts'

const PER_CONVERSATION = 50
const AT_ONCE = 2_000

/** Who has how much of everything; the rest is somebody else's. */
export const SHARES = { big: 0.3, middle: 0.05, small: 0.001 } as const
export type OwnerName = keyof typeof SHARES

/** Fills a history, all owners in turn, so that on the disk one's messages lie among everybody's. */
export async function fill(history: History, { messages, chat }: { messages: number; chat: Chat }): Promise<void> {
  await history.engine.asOwner((db) => db.query('drop index if exists maru.message_grams', []))
  const left = new Map<string, number>()
  for (const [name, share] of Object.entries({ ...SHARES, rest: 0.649 })) left.set(name, Math.round(messages * share))
  const owners = new Map<string, string>()
  for (const name of left.keys()) {
    const { owner, log } = await history.open(name)
    await log.close()
    owners.set(name, owner)
  }
  const shares = new Map([...left].map(([name, count]) => [name, Math.max(100, (count / messages) * AT_ONCE)]))
  for (let at = 0; left.size > 0; at++) {
    for (const [name, count] of left) {
      const some = Math.min(count, Math.ceil(shares.get(name) ?? count))
      await insert(
        history,
        { owner: owners.get(name) ?? '', name: `${name}.${at}`, minutes: at * 60 },
        take(chat, some),
      )
      if (some === count) left.delete(name)
      else left.set(name, count - some)
    }
  }
}

function take(chat: Chat, count: number): string[] {
  return Array.from({ length: count }, () => chat.next())
}

async function insert(
  history: History,
  { owner, name, minutes }: { owner: string; name: string; minutes: number },
  texts: string[],
): Promise<void> {
  await history.engine.asOwner((db) =>
    db.query(
      `with c as (
         insert into maru.conversation (owner, id, head, created_at, changed_at, last_at, messages)
         select $1, $2::text || '.' || n, ${PER_CONVERSATION}, now(), now(), now() - ($3::int + n) * interval '1 min', ${PER_CONVERSATION}
         from generate_series(0, $4::int) n returning no, id
       )
       insert into maru.message (owner, session, seq, role, content, at)
       select $1, c.no, t.n % ${PER_CONVERSATION} + 1, case t.n % 2 when 0 then 'user' else 'assistant' end, t.text,
         now() - $3::int * interval '1 min' - t.n * interval '1 s'
       from unnest($5::text[]) with ordinality t (text, n)
       join c on c.id = $2::text || '.' || t.n / ${PER_CONVERSATION}`,
      [owner, name, minutes, Math.ceil(texts.length / PER_CONVERSATION), texts],
    ),
  )
}

const GRAMS = `create index message_grams on maru.message using gin (maru.grams(owner, content)) with (fastupdate = off);
  alter index maru.message_grams alter column 1 set statistics 0`

/** The index of the search; on a server also those of the others, side by side where there are two cores. */
export async function index(history: History): Promise<void> {
  const memory = history.kind === 'postgres' ? '1GB' : '64MB'
  const make = (sql: string) =>
    history.engine.asOwner((db) => db.query(`set local maintenance_work_mem = '${memory}'; ${sql}`))
  const others = async () => {
    if (history.kind === 'pglite') return
    await make('create extension if not exists pg_trgm schema public')
    await make('create index other_trgm on maru.message using gin (content public.gin_trgm_ops)')
    await make(`create index other_words on maru.message using gin (to_tsvector('simple', content))`)
  }
  await Promise.all([make(GRAMS), others()])
  await history.engine.asOwner((db) => db.query('analyze', []))
}

/** Takes the others' indexes away: what is written from now on need not pay for them. */
export async function dropOthers(history: History): Promise<void> {
  await history.engine.asOwner((db) => db.query('drop index if exists maru.other_trgm, maru.other_words'))
}
