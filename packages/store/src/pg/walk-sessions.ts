import type { SessionInfo, SessionStart } from '@maru/protocol'
import type { Queries } from './engine.ts'

/** A session and its number, which is its place among all: the youngest has the greatest. */
export interface PlacedSession {
  no: number
  info: SessionInfo
}

type Read = <T>(work: (db: Queries) => Promise<T>) => Promise<T>

/** Sessions of every kind, the youngest first; with a place, those behind it. A place stays one when its session is erased. */
export async function* walkSessions(read: Read, behind?: number): AsyncGenerator<PlacedSession, void> {
  for (let before = behind ?? null; ; ) {
    const rows: Row[] = await read((db) => db.query<Row>(LIST, [before]))
    for (const { no, id, created_at, changed_at, start, title } of rows) {
      const info = { id, startedAt: created_at, changedAt: changed_at }
      yield { no, info: { ...info, ...(start && { start }), ...(title !== null && { title }) } }
      before = no
    }
    if (rows.length < LISTED) return
  }
}

const LISTED = 200
const LIST = `
  select no, id, start, title, created_at, changed_at from maru.conversation
  where owner = maru.uid() and id is not null and ($1::bigint is null or no < $1) order by no desc limit ${LISTED}`

interface Row {
  no: number
  id: string
  start: SessionStart | null
  title: string | null
  created_at: number
  changed_at: number
}
