import { type History, type OwnHistory, openHistory } from '@maru/store'
import { temporaryDirectory, testPostgres } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { inTurn, summarize } from './side-by-side.ts'
import { checkHits } from './store/check-hits.ts'
import { dropOthers, fill, index, type OwnerName, SHARES } from './store/fill.ts'
import { benchLength } from './store/lengths.ts'
import { makeChat } from './store/make-chat.ts'
import { benchSecondOpen } from './store/second-open.ts'
import { showClasses, showPages, tell } from './store/show.ts'
import { costOf, ILIKE, SEARCH, type Way } from './store/ways.ts'

// The claims are about a million messages on a server and 100,000 in the embedded one; 0 leaves one out. A short run shows
// that all works.
const MESSAGES = Number(process.env['MARU_BENCH_MESSAGES'] ?? 40_000)
const EMBEDDED = Number(process.env['MARU_BENCH_EMBEDDED'] ?? Math.min(MESSAGES, 400_000) / 4)
const FULL = { postgres: { messages: 1_000_000, factor: 50 }, pglite: { messages: 100_000, factor: 10 } } as const

/** Searching, opening and forking in a history of many messages, beside what plain SQL under the same policies takes. */
export async function benchStore(root: string): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  const verdicts = await benchSecondOpen(root)
  try {
    const databaseUrl = await (await testPostgres()).createDatabase()
    for (const [messages, options] of [
      [MESSAGES, { home: path, databaseUrl, now: Date.now }],
      [EMBEDDED, { home: path, now: Date.now, isDurable: false }],
    ] as const) {
      if (messages === 0) continue
      const history = await openHistory(options)
      try {
        verdicts.push(...(await benchOn(history, messages)))
      } finally {
        await history.close()
      }
    }
    return verdicts
  } finally {
    await dispose()
  }
}

async function benchOn(history: History, messages: number): Promise<Verdict[]> {
  const chat = makeChat(20_261_116)
  const began = Date.now()
  const lap = (what: string) => tell(`${history.kind}: ${what} at ${((Date.now() - began) / 1000).toFixed(0)} s`)
  await fill(history, { messages, chat })
  lap(`${messages} messages in`)
  await index(history)
  lap('indexes made')
  const owners = new Map<OwnerName, OwnHistory>()
  for (const name of Object.keys(SHARES) as OwnerName[]) owners.set(name, await history.open(name))
  const big = owners.get('big') as OwnHistory
  const full = FULL[history.kind]
  const factor = messages >= full.messages ? full.factor : 1
  const verdicts = [await benchRare(history, big, { words: chat.rare, factor })]
  lap('rare words compared')
  await showClasses(history, owners, chat.queries)
  await showPages(history, owners)
  await checkHits(history, owners, chat.queries)
  lap('hits checked')
  await dropOthers(history)
  // Last: its long conversations are newer than all the rest, and hold none of the words.
  verdicts.push(...(await benchLength(history, big)))
  lap('done')
  for (const { log } of owners.values()) await log.close()
  return verdicts.map((verdict) => ({
    ...verdict,
    claim: { ...verdict.claim, text: `${history.kind}, ${messages} messages: ${verdict.claim.text}` },
  }))
}

async function benchRare(
  history: History,
  { owner }: OwnHistory,
  { words, factor }: { words: string[]; factor: number },
): Promise<Verdict> {
  const measure = (way: Way) => async () => {
    let ms = 0
    for (const word of words) ms += (await costOf(history, owner, way, word)).ms
    return ms
  }
  for (const word of words) {
    const [fast, plain] = [await costOf(history, owner, SEARCH, word), await costOf(history, owner, ILIKE, word)]
    if (fast.rows !== plain.rows) throw new Error(`the search for "${word}" finds something else than ILIKE`)
  }
  const runs = await inTurn([measure(SEARCH), measure(ILIKE)], { rounds: 3, warmups: 0 })
  const timings = [summarize('search, CPU', runs[0] ?? []), summarize('ILIKE, CPU', runs[1] ?? [])]
  const text = `${words.length} rare words of the owner of 30 %, against ILIKE under the same policy`
  return judge(timings, { text, of: 'search, CPU', against: 'ILIKE, CPU', atMost: 1 / factor })
}
