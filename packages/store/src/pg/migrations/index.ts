import { access } from './access.ts'
import { candidates } from './candidates.ts'
import { limits } from './limits.ts'
import { mirrors } from './mirrors.ts'
import { moves } from './moves.ts'
import { quickGrams } from './quick-grams.ts'
import { rareWords } from './rare-words.ts'
import { rights } from './rights.ts'
import { search } from './search.ts'
import { tables } from './tables.ts'

export interface Migration {
  version: number
  name: string
  sql: string
}

/**
 * Forward only, in order. One that was released is never edited: the next one changes what it did. A function inside an
 * index gets a new name and a new index.
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'conversations, facts, messages, search', sql: [tables, rights, search, limits].join('\n') },
  { version: 2, name: 'words whose pieces are frequent and never adjacent', sql: candidates },
  { version: 3, name: 'what was mirrored from files', sql: mirrors },
  { version: 4, name: 'grams in a third of the time', sql: quickGrams },
  { version: 5, name: 'who may come in', sql: access },
  { version: 6, name: 'sessions that move here from their files', sql: moves },
  { version: 7, name: 'rare and mixed words for less', sql: rareWords },
]
