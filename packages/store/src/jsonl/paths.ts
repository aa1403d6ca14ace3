import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LogError } from '@maru/protocol'

/** Where everything of one session lies. */
export interface SessionPaths {
  log: string
  /** Everything but the log itself. */
  side: string
  blobs: string
  snapshots: string
  quarantine: string
}

const SUFFIX = '.jsonl'
// Letters of any script: a person may name a log in Korean. No separators, no leading or trailing dots.
const ID = /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*$/u
const ID_LIMIT = 120

export function sessionPaths(directory: string, id: string): SessionPaths {
  if (!ID.test(id) || id.length > ID_LIMIT) {
    throw new LogError('rejected', `"${id}" cannot name a session: letters, digits, "-", "_" and inner dots can`)
  }
  const side = join(directory, id)
  return {
    log: `${side}${SUFFIX}`,
    side,
    blobs: join(side, 'blobs'),
    snapshots: join(side, 'snapshots'),
    quarantine: join(side, 'quarantine'),
  }
}

/** The session a file name belongs to, if any. */
export function sessionOf(fileName: string): string | undefined {
  const id = fileName.endsWith(SUFFIX) ? fileName.slice(0, -SUFFIX.length) : ''
  return ID.test(id) ? id : undefined
}

/** A new or renamed file is safe only when its directory is on the disk too. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and needs no such step.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}
