import { readFileSync } from 'node:fs'
import type { History } from '@maru/store'

/** A way to look for a word: as the application under its policies, or as the owner of the tables, whom none hinder. */
export interface Way {
  name: string
  sql: string
  isOwner?: boolean
}

const NEWEST = 'order by at desc, session desc, seq desc'

export const SEARCH: Way = {
  name: 'search',
  sql: `select session, seq from maru.search(array[$1::text], null::maru.search_filter, 'infinity', 0, 0, 60) ${NEWEST}`,
}
export const ILIKE: Way = {
  name: 'ILIKE',
  sql: `select session, seq from maru.message where owner = maru.uid() and content ilike '%' || $1 || '%' ${NEWEST} limit 60`,
}
// Under a policy neither of these indexes is used. They are given the best case: no policy, only the owner's name.
const [OF_OWNER, AS_TEXT] = ['where owner = $2::uuid and', '($1::text)'] as const
export const TRIGRAMS: Way = {
  name: 'pg_trgm',
  sql: `select session, seq from maru.message ${OF_OWNER} content ilike '%' || ${AS_TEXT} || '%' ${NEWEST} limit 60`,
  isOwner: true,
}
export const WORDS: Way = {
  name: 'to_tsvector',
  sql: `select session, seq from maru.message ${OF_OWNER} to_tsvector('simple', content) @@ plainto_tsquery('simple', ${AS_TEXT}) ${NEWEST} limit 60`,
  isOwner: true,
}

export interface Found {
  ms: number
  rows: string
  count: number
}

/** What a query costs the database: CPU time of the backend, or of this process where it is the database. */
export async function costOf(history: History, owner: string, { sql, isOwner }: Way, word: string): Promise<Found> {
  const { engine, kind } = history
  const work: Parameters<typeof engine.asOwner<Found>>[0] = async (db) => {
    const [backend] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', [])
    const before = cpuOf(kind, backend?.pid ?? 0)
    const rows = await db.query<object>(sql, isOwner ? [word, owner] : [word])
    return { ms: cpuOf(kind, backend?.pid ?? 0) - before, rows: JSON.stringify(rows), count: rows.length }
  }
  return isOwner ? engine.asOwner(work) : engine.as(owner, work)
}

function cpuOf(kind: History['kind'], pid: number): number {
  if (kind === 'postgres') return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The median and the slow end of some measurements. */
export function spread(values: readonly number[]): { p50: number; p95: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}
