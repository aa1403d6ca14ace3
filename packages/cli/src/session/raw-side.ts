import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const TURN_LIMIT = 8 * 1024 * 1024
const TURNS_KEPT = 100

/** The vendor's own events, a file per turn beside the log: for checking the adapter, never needed to go on. */
export interface RawSide {
  add(turnId: string, event: string): void
  /** Writes what a turn said. A turn that said too much has no file: half of one proves nothing. */
  flush(turnId: string): Promise<void>
}

export function createRawSide(directory: string): RawSide {
  const turns = new Map<string, { events: string[]; units: number }>()
  return {
    add(turnId, event) {
      const turn = turns.get(turnId) ?? { events: [], units: 0 }
      turns.set(turnId, turn)
      turn.units += event.length
      if (turn.units <= TURN_LIMIT) turn.events.push(event)
    },
    async flush(turnId) {
      const turn = turns.get(turnId)
      turns.delete(turnId)
      if (!turn || turn.units > TURN_LIMIT) return
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${turnId}.json`)
      writeFileSync(`${path}.new`, JSON.stringify(turn.events), { mode: 0o600 })
      renameSync(`${path}.new`, path)
      dropOldest(directory)
    },
  }
}

/** The events of a turn, where they were kept. */
export async function readRawTurn(directory: string, turnId: string): Promise<string[] | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, `${turnId}.json`), 'utf8')) as string[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

// Turn ids begin with their time, so that the oldest sort first.
function dropOldest(directory: string): void {
  const names = readdirSync(directory).toSorted()
  for (const name of names.slice(0, Math.max(0, names.length - TURNS_KEPT))) {
    rmSync(join(directory, name), { force: true })
  }
}
