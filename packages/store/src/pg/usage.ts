import type { Queries } from './engine.ts'

/** How much of somebody is stored: what forks share counts once. */
export interface StoredUsage {
  conversations: number
  messages: number
  tokens: number
  /** Of facts and contents, as the database keeps them. */
  bytes: number
}

export async function countUsage(db: Queries): Promise<StoredUsage> {
  const [row] = await db.query<StoredUsage>(
    `select (select count(*) from maru.conversation where owner = maru.uid() and id is not null) as conversations,
       count(*) filter (where role in ('user', 'assistant')) as messages, coalesce(sum(tokens), 0) as tokens,
       (select coalesce(sum(pg_column_size(body)), 0) from maru.fact where owner = maru.uid())
         + (select coalesce(sum(octet_length(content)), 0) from maru.blob where owner = maru.uid()) as bytes
     from maru.message where owner = maru.uid()`,
    [],
  )
  return row ?? { conversations: 0, messages: 0, tokens: 0, bytes: 0 }
}
