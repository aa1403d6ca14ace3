import { type Actor, LogError } from '@maru/protocol'
import type { Engine } from './engine.ts'
import type { OwnHistory } from './history.ts'
import { addJob, type JobHandler } from './jobs.ts'
import type { Message } from './messages.ts'

/** The kind of a job that summarises a conversation up to a fact. */
const SUMMARY = 'summary'

/** A conversation is summarised when so much was said since the last time. */
export const SUMMARY_MESSAGES = 50
export const SUMMARY_TOKENS = 10_000
const WORDS = 500

/** Says in so many words what messages come to: main points, decisions, next actions. */
export type Summarise = (messages: Message[], options: { maxWords: number; signal: AbortSignal }) => Promise<string>

/** Asks for a summary of everything in a conversation so far. */
export async function askForSummary(
  engine: Engine,
  owner: string,
  { id, to, maxWords = WORDS }: { id: string; to: number; maxWords?: number },
): Promise<void> {
  await addJob(engine, owner, { kind: SUMMARY, key: `${id} ${to}`, payload: { id, to, maxWords } })
}

/** Asks for summaries of the conversations of an owner that changed since a time and have grown enough. */
export async function askForDueSummaries(engine: Engine, owner: string, since: number): Promise<number> {
  const due = await engine.read(owner, (db) =>
    db.query<{ id: string; head: number }>(
      `select c.id, c.head from maru.conversation c
       left join lateral (
         select f.messages, f.tokens from maru.fact f
         where f.owner = c.owner and f.session = c.no and f.kind = 'summary-add' order by f.seq desc limit 1) s on true
       where c.owner = maru.uid() and c.id is not null and not c.is_moved and c.touched_at >= to_timestamp($1::float8 / 1000)
         and (c.messages - coalesce(s.messages, 0) > $2 or c.tokens - coalesce(s.tokens, 0) > $3)`,
      [since, SUMMARY_MESSAGES, SUMMARY_TOKENS],
    ),
  )
  for (const { id, head } of due) await askForSummary(engine, owner, { id, to: head })
  return due.length
}

const BY: Actor = { kind: 'system', id: 'summary' }
const PAGE = 200

/** Makes summaries, each stored once however often its job is begun: the key of the fact says what it covers. */
export function createSummaryHandlers(
  open: (owner: string) => Promise<OwnHistory>,
  summarise: Summarise,
): { [kind: string]: JobHandler } {
  return { [SUMMARY]: createHandler(open, summarise) }
}

function createHandler(open: (owner: string) => Promise<OwnHistory>, summarise: Summarise): JobHandler {
  return async ({ owner, payload }, signal) => {
    const { id, to, maxWords } = payload as { id: string; to: number; maxWords: number }
    const own = await open(owner)
    try {
      const messages: Message[] = []
      for (let after = 0; ; ) {
        const page = await own.conversations.messages(id, { after, limit: PAGE })
        messages.push(...page.filter(({ seq, role }) => seq <= to && role !== 'note'))
        after = page.at(-1)?.seq ?? after
        if (page.length < PAGE || after >= to) break
      }
      if (messages.length === 0) return
      const text = await summarise(messages, { maxWords, signal })
      const covers = { from: messages[0]?.seq ?? 1, to }
      await own.log.admit(id, { type: 'summary-add', key: `summary ${to}`, by: BY, covers, text })
    } catch (error) {
      // Erased meanwhile: there is nothing to summarise.
      if (!(error instanceof LogError && error.code === 'missing')) throw error
    } finally {
      await own.log.close()
    }
  }
}
