import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from '../jsonl/paths.ts'

/**
 * What an embedded database needs: nothing, the usual, or to be written anew by hand, as it may still hold bytes of what was
 * erased and is too large for that to be done on the way.
 */
export type Upkeep = 'none' | 'due' | 'erased'

/** What is known of a directory's upkeep, from one process to the next. */
export interface UpkeepNotes {
  /** How much had ever been written when it was last tidied, by the database's own count of bytes. */
  written: number
  /** Something was erased since the tables were last written anew. */
  isErased: boolean
}

const FILE = 'upkeep.json'
const NOTHING: UpkeepNotes = { written: 0, isErased: false }

export function readNotes(directory: string): UpkeepNotes {
  try {
    const { written, isErased } = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Partial<UpkeepNotes>
    return { written: Number(written) || 0, isErased: isErased === true }
  } catch (error) {
    // One that was cut short says nothing: then it is tidied once too often.
    if (error instanceof SyntaxError || isErrno(error, 'ENOENT')) return NOTHING
    throw error
  }
}

export function writeNotes(directory: string, notes: UpkeepNotes): void {
  writeFileSync(join(directory, FILE), `${JSON.stringify(notes)}\n`, { mode: 0o600, flush: true })
}
