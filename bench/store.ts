import { readFileSync } from 'node:fs'
import { type History, type OwnHistory, openHistory } from '@maru/store'
import { start, temporaryDirectory, testPostgres } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { inTurn, sideBySide, summarize } from './side-by-side.ts'
import { makeChat } from './store/make-chat.ts'

// The claims are about a million messages: MARU_BENCH_MESSAGES=1000000. A short run shows that nothing is broken.
const MESSAGES = Number(process.env['MARU_BENCH_MESSAGES'] ?? 40_000)
const PER_CONVERSATION = 50
const SHARES = { big: 0.3, middle: 0.05, small: 0.001 }

/** Searching, opening and forking in a history of many messages, beside what plain SQL under the same policies takes. */
export async function benchStore(): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  const databaseUrl = await (await testPostgres()).createDatabase()
  const server = await openHistory({ home: path, databaseUrl, now: Date.now })
  const embedded = await openHistory({ home: path, now: Date.now, isDurable: false })
  try {
    return [
      ...(await benchOn(server, MESSAGES, { isFull: MESSAGES >= 1_000_000, factor: 50 })),
      ...(await benchOn(embedded, Math.min(MESSAGES, 100_000) / 4, { isFull: MESSAGES >= 400_000, factor: 10 })),
    ]
  } finally {
    await server.close()
    await embedded.close()
    await dispose()
  }
}

async function benchOn(
  history: History,
  messages: number,
  { isFull, factor }: { isFull: boolean; factor: number },
): Promise<Verdict[]> {
  const big = await history.open('big')
  const chat = makeChat(20_261_116)
  for (const [name, share] of Object.entries({ ...SHARES, rest: 0.649 })) {
    await fill(history, name, { messages: Math.round(messages * share), chat })
  }
  await index(history)
  const verdicts = [await benchRare(history, big, { words: chat.rare, factor: isFull ? factor : 1 })]
  await showClasses(history, big, chat.queries)
  // Last: its long conversation is newer than all the rest, and holds none of the words.
  verdicts.push(...(await benchLength(history, big)))
  await big.log.close()
  return verdicts.map((verdict) => ({
    ...verdict,
    claim: { ...verdict.claim, text: `${history.kind}, ${messages} messages: ${verdict.claim.text}` },
  }))
}

async function fill(
  history: History,
  name: string,
  { messages, chat }: { messages: number; chat: ReturnType<typeof makeChat> },
): Promise<void> {
  const { owner, log } = await history.open(name)
  await log.close()
  await history.engine.asOwner((db) => db.query('drop index if exists maru.message_grams', []))
  for (let done = 0; done < messages; ) {
    const count = Math.min(2_000, messages - done)
    const texts = Array.from({ length: count }, () => chat.next())
    await history.engine.asOwner((db) =>
      db.query(
        `with c as (
           insert into maru.conversation (owner, id, head, created_at, changed_at, last_at, messages)
           select $1, $2::text || '.' || n, ${PER_CONVERSATION}, now(), now(), now() - ($3::int + n) * interval '1 min', ${PER_CONVERSATION}
           from generate_series(0, $4::int) n returning no, id
         )
         insert into maru.message (owner, session, seq, role, content, at)
         select $1, c.no, t.n % ${PER_CONVERSATION} + 1, case t.n % 2 when 0 then 'user' else 'assistant' end, t.text,
           now() - ($3::int + t.n) * interval '7 s'
         from unnest($5::text[]) with ordinality t (text, n)
         join c on c.id = $2::text || '.' || t.n / ${PER_CONVERSATION}`,
        [owner, `${name}.${done}`, done, Math.ceil(count / PER_CONVERSATION), texts],
      ),
    )
    done += count
  }
}

async function index(history: History): Promise<void> {
  await history.engine.asOwner(async (db) => {
    await db.query(
      'create index message_grams on maru.message using gin (maru.grams(owner, content)) with (fastupdate = off)',
      [],
    )
    await db.query('analyze', [])
  })
}

const ILIKE = `select session, seq from maru.message where owner = maru.uid() and content ilike '%' || $1 || '%'
  order by at desc, session desc, seq desc limit 60`
const SEARCH = `select session, seq from maru.search(array[$1::text], null::maru.search_filter, 'infinity', 0, 0, 60)
  order by at desc, session desc, seq desc`

/** What a query costs the database: CPU time of the backend, or of this process where it is the database. */
async function costOf(
  history: History,
  owner: string,
  sql: string,
  word: string,
): Promise<{ ms: number; rows: string }> {
  return history.engine.as(owner, async (db) => {
    const [backend] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', [])
    const before = cpuOf(history, backend?.pid ?? 0)
    const rows = await db.query<object>(sql, [word])
    return { ms: cpuOf(history, backend?.pid ?? 0) - before, rows: JSON.stringify(rows) }
  })
}

function cpuOf({ kind }: History, pid: number): number {
  if (kind === 'postgres') return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function benchRare(
  history: History,
  { owner }: OwnHistory,
  { words, factor }: { words: string[]; factor: number },
): Promise<Verdict> {
  const measure = (sql: string) => async () => {
    let ms = 0
    for (const word of words) ms += (await costOf(history, owner, sql, word)).ms
    return ms
  }
  for (const word of words) {
    const [fast, plain] = [await costOf(history, owner, SEARCH, word), await costOf(history, owner, ILIKE, word)]
    if (fast.rows !== plain.rows) throw new Error(`the search for "${word}" finds something else than ILIKE`)
  }
  const runs = await inTurn([measure(SEARCH), measure(ILIKE)], { rounds: 5, warmups: 1 })
  const timings = [summarize('search, CPU', runs[0] ?? []), summarize('ILIKE, CPU', runs[1] ?? [])]
  const text = `${words.length} rare words of the owner of 30 %, against ILIKE under the same policy`
  return judge(timings, { text, of: 'search, CPU', against: 'ILIKE, CPU', atMost: 1 / factor })
}

async function benchLength(history: History, own: OwnHistory): Promise<Verdict[]> {
  const lengths = { short: 100, long: history.kind === 'postgres' ? 10_000 : 2_000 }
  for (const [id, length] of Object.entries(lengths)) {
    await own.log.create(id, start)
    await history.engine.as(own.owner, async (db) => {
      const [row] = await db.query<{ no: number }>(
        `select no from maru.conversation where owner = maru.uid() and id = $1`,
        [id],
      )
      const sql = `select $1, n, 'user', 'message ' || n, now() from generate_series(2, $2::int) n`
      await db.query(`insert into maru.message (session, seq, role, content, at) ${sql}`, [row?.no, length])
      await db.query(
        `insert into maru.fact (session, seq, kind, body, at, runner, messages, tokens)
         select $1, n, 'foreign', '{}', now(), 0, n, 0 from generate_series(2, $2::int) n`,
        [row?.no, length],
      )
      await db.query('update maru.conversation set head = $2 where owner = maru.uid() and no = $1', [row?.no, length])
    })
  }
  let forks = 0
  const fork = (id: string, seq: number) => own.log.create(`fork ${forks++}`, { ...start, forkOf: { id, seq } })
  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let n = 0; n < count; n++) await work()
  }
  const open = await sideBySide(
    [
      { name: 'open, short', run: () => times(20, () => own.conversations.messages('short')) },
      { name: 'open, long', run: () => times(20, () => own.conversations.messages('long')) },
      { name: 'fork, short', run: () => times(10, () => fork('short', lengths.short - 1)) },
      { name: 'fork, long', run: () => times(10, () => fork('long', lengths.long - 1)) },
    ],
    { rounds: 9 },
  )
  const than = `with ${lengths.long} messages takes no longer than with ${lengths.short}`
  return [
    judge(open, {
      text: `opening the newest 50 of a conversation ${than}`,
      of: 'open, long',
      against: 'open, short',
      atMost: 1.3,
    }),
    judge(open, { text: `forking one ${than}`, of: 'fork, long', against: 'fork, short', atMost: 1.3 }),
  ]
}

/** For people: the median and the worst of each kind of query, search beside ILIKE. */
async function showClasses(history: History, { owner }: OwnHistory, queries: Record<string, string[]>): Promise<void> {
  for (const [name, words] of Object.entries(queries)) {
    const line = [`${history.kind} ${name}`.padEnd(24)]
    for (const [way, sql] of [
      ['search', SEARCH],
      ['ILIKE', ILIKE],
    ] as const) {
      const costs: number[] = []
      for (const word of words) costs.push((await costOf(history, owner, sql, word)).ms)
      costs.sort((a, b) => a - b)
      const at = (share: number) => costs[Math.min(costs.length - 1, Math.floor(costs.length * share))]?.toFixed(1)
      line.push(`${way} ${at(0.5)} / ${at(0.95)} ms CPU`.padEnd(32))
    }
    process.stderr.write(`${line.join(' ')}\n`)
  }
}
