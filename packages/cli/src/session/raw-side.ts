import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const TURN_LIMIT = 8 * 1024 * 1024
const TURNS_KEPT = 100

/** The vendor's own events, a file per turn beside the log: for checking the adapter, never needed to go on. */
export interface RawSide {
  add(turnId: string, event: string): void
  /** What a turn said holds a secret: none of it is written. */
  drop(turnId: string): void
  /** A turn has said all. It is written when there is time; one that said too much never: half of it proves nothing. */
  end(turnId: string): void
  /** Writes what is not written yet. */
  close(): void
}

// Behind whatever the turn is to be followed by.
const LATER_MS = 100

/** What is wrong with it must not end a run: it is only told. */
export function createRawSide(directory: string, onProblem: (error: unknown) => void): RawSide {
  const turns = new Map<string, { events: string[]; units: number }>()
  let ended: string[] = []
  let timer: NodeJS.Timeout | undefined
  const write = (turnId: string) => {
    const turn = turns.get(turnId)
    turns.delete(turnId)
    if (!turn || turn.units > TURN_LIMIT) return
    const path = join(directory, `${turnId}.json`)
    writeFileSync(`${path}.new`, JSON.stringify(turn.events), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const due = ended
    ended = []
    if (due.length === 0) return
    try {
      if (due.some((turnId) => turns.has(turnId))) mkdirSync(directory, { recursive: true, mode: 0o700 })
      for (const turnId of due) write(turnId)
      dropOldest(directory)
    } catch (error) {
      onProblem(error)
    }
  }
  return {
    add(turnId, event) {
      const turn = turns.get(turnId) ?? { events: [], units: 0 }
      turns.set(turnId, turn)
      turn.units += event.length
      if (turn.units <= TURN_LIMIT) turn.events.push(event)
    },
    drop(turnId) {
      turns.delete(turnId)
    },
    end(turnId) {
      ended.push(turnId)
      timer ??= setTimeout(flush, LATER_MS)
    },
    close: flush,
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
  if (!existsSync(directory)) return
  const names = readdirSync(directory).toSorted()
  for (const name of names.slice(0, Math.max(0, names.length - TURNS_KEPT))) {
    rmSync(join(directory, name), { force: true })
  }
}
