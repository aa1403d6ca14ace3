import { type Queries, toTime } from './engine.ts'
import { isCounted } from './message-row.ts'
import { withChain } from './session-row.ts'

/**
 * Counts a session anew, from its message rows and from what was hidden, and then the forks that begin at `from` or
 * behind it: after each fact, how many messages are shown and how many tokens they took.
 */
export async function recount(db: Queries, session: number, from = 0): Promise<void> {
  await recountOne(db, session)
  const forks = await db.query<{ no: number }>(
    'select no from maru.conversation where owner = maru.uid() and parent = $1 and fork_seq >= $2',
    [session, from],
  )
  for (const { no } of forks) await recount(db, no)
}

interface Step {
  seq: number
  messages: number
  tokens: number
}

async function recountOne(db: Queries, session: number): Promise<void> {
  const base = await findBase(db, session)
  const rows = await db.query<{ seq: number; role: string; tokens: number | null; at: number }>(
    'select seq, role, tokens, at from maru.message where owner = maru.uid() and session = $1 order by seq',
    [session],
  )
  const hidden = await findHidden(db, session, rows)
  await db.query('delete from maru.hidden where owner = maru.uid() and session = $1', [session])
  await db.query('insert into maru.hidden (session, target, seq) select $1, h.* from unnest($2::int[], $3::int[]) h', [
    session,
    hidden.map(({ target }) => target),
    hidden.map(({ seq }) => seq),
  ])
  const changes = [
    ...rows.map(({ seq, role, tokens }) => ({ seq, messages: isCounted(role) ? 1 : 0, tokens: tokens ?? 0 })),
    ...hidden.map(({ seq }) => ({ seq, messages: -1, tokens: 0 })),
  ].sort((a, b) => a.seq - b.seq)
  const steps: Step[] = [base]
  for (const { seq, messages, tokens } of changes) {
    const last = steps.at(-1) as Step
    steps.push({ seq, messages: last.messages + messages, tokens: last.tokens + tokens })
  }
  await storeSteps(db, session, steps)
  const spoken = rows.filter(({ role }) => role !== 'title' && role !== 'note').map(({ at }) => at)
  const { messages, tokens } = steps.at(-1) as Step
  await db.query(
    `update maru.conversation set messages = $2, tokens = $3, last_at = greatest(created_at, $4)
     where owner = maru.uid() and no = $1`,
    [session, messages, tokens, spoken.length === 0 ? null : toTime(spoken.reduce((a, b) => Math.max(a, b)))],
  )
}

async function findBase(db: Queries, session: number): Promise<Step> {
  const [cut] = await db.query<Step>(
    `select c.fork_seq as seq, coalesce(f.messages, 0) as messages, coalesce(f.tokens, 0) as tokens
     from maru.conversation c
     left join maru.fact f on f.owner = maru.uid() and f.session = c.parent and f.seq = c.fork_seq
     where c.owner = maru.uid() and c.no = $1`,
    [session],
  )
  return cut ?? { seq: 0, messages: 0, tokens: 0 }
}

/** What the session's own facts hide: only what counts, only once, and not what was hidden before the fork. */
async function findHidden(
  db: Queries,
  session: number,
  rows: { seq: number; role: string }[],
): Promise<{ target: number; seq: number }[]> {
  const hides = await db.query<{ body: { target: number }; seq: number }>(
    `select body, seq from maru.fact where owner = maru.uid() and session = $1 and kind = 'message-hide' order by seq`,
    [session],
  )
  const wishes = hides.map(({ body: { target }, seq }) => ({ target, seq }))
  if (wishes.length === 0) return []
  const inherited = await db.query<{ seq: number }>(
    withChain(`select m.seq from chain c
      join maru.message m on m.owner = maru.uid() and m.session = c.session and m.seq > c.low and m.seq <= c.high
        and m.seq = any($2) and m.role in ('user', 'assistant')
      where c.session <> $1 and not exists (select from chain h join maru.hidden x on x.owner = maru.uid()
        and x.session = h.session and x.target = m.seq and x.seq <= h.high where h.session <> $1)`),
    [session, wishes.map(({ target }) => target)],
  )
  const shown = new Set(inherited.map(({ seq }) => seq))
  const roles = new Map(rows.map(({ seq, role }) => [seq, role]))
  return wishes.filter(({ target, seq }) => {
    const isShown = shown.delete(target) || (target < seq && isCounted(roles.get(target) ?? ''))
    roles.delete(target)
    return isShown
  })
}

async function storeSteps(db: Queries, session: number, steps: Step[]): Promise<void> {
  await db.query(
    `with step as (
       select low, lead(low) over (order by low) as high, messages, tokens
       from (select distinct on (s.low) s.low, s.messages, s.tokens
         from unnest($2::int[], $3::int[], $4::bigint[]) with ordinality s (low, messages, tokens, place)
         order by s.low, s.place desc) d
     )
     update maru.fact f set messages = s.messages, tokens = s.tokens from step s
     where f.owner = maru.uid() and f.session = $1 and f.seq >= s.low and (s.high is null or f.seq < s.high)
       and (f.messages <> s.messages or f.tokens <> s.tokens)`,
    [session, steps.map(({ seq }) => seq), steps.map(({ messages }) => messages), steps.map(({ tokens }) => tokens)],
  )
}
