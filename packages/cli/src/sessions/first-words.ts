import type { Recorded } from '@maru/protocol'
import { nameOf, overview } from './overview.ts'

// Before the first words there are a few facts of the beginning, no more.
const MOST_FACTS = 100

/** What a session without a title goes by: the words that were said first, if they come soon; else nothing. */
export async function firstWords(records: AsyncIterable<Recorded>): Promise<string | undefined> {
  const state = overview.create()
  let read = 0
  for await (const record of records) {
    overview.apply(state, record)
    if (state.said.length > 0 || ++read >= MOST_FACTS) break
  }
  return nameOf(state) || undefined
}
