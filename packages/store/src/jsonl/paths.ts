import { closeSync, fsync, openSync } from 'node:fs'
import { join } from 'node:path'
import { LogError } from '@maru/protocol'
import { inNextTurn, OpenFile } from './open-file.ts'

/** Where everything of one session lies. */
export interface SessionPaths {
  log: string
  /** Everything but the log itself. */
  side: string
  blobs: string
  snapshots: string
  quarantine: string
  /** The vendor's own events: whoever runs the session keeps them here. */
  raw: string
}

const SUFFIX = '.jsonl'
// In UTF-8: file systems allow 255, and suffixes come on top.
const ID_BYTES = 200

function isId(id: string): boolean {
  return hasIdLetters(id) && Buffer.byteLength(id) <= ID_BYTES && !id.endsWith(SUFFIX)
}

// Letters of any script: a person may name a log in Korean. No separators, no leading or trailing dots. Most names are
// made by us, and the tables of all scripts take a millisecond to set up.
function hasIdLetters(id: string): boolean {
  return /^[\w-]+(\.[\w-]+)*$/.test(id) || /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u.test(id)
}

export function sessionPaths(directory: string, id: string): SessionPaths {
  if (!isId(id)) {
    throw new LogError('rejected', `"${id}" cannot name a session: letters, digits, "-", "_" and inner dots can`)
  }
  const side = join(directory, id)
  return {
    log: `${side}${SUFFIX}`,
    side,
    blobs: join(side, 'blobs'),
    snapshots: join(side, 'snapshots'),
    quarantine: join(side, 'quarantine'),
    raw: join(side, 'raw'),
  }
}

/** The session a file name belongs to, if any. */
export function sessionOf(fileName: string): string | undefined {
  const id = fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : ''
  return isId(id) ? id : undefined
}

/** A new or renamed file is safe only when its directory is on the disk too. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and needs no such step.
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  try {
    await inNextTurn((done) => fsync(directory, done))
  } finally {
    closeSync(directory)
  }
}

/** Opens a log; `missing` if it is not there. */
export function openLog(path: string, id: string, flags: 'r' | 'r+'): OpenFile {
  try {
    return new OpenFile(path, flags)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) throw new LogError('missing', `there is no session ${id}`, { cause: error })
    const what = flags === 'r' ? 'read' : 'written'
    throw new LogError('failed', `session ${id} cannot be ${what}: ${(error as Error).message}`, { cause: error })
  }
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
