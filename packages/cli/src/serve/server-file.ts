import { mkdir, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readServer, serverFile } from '../remote/find-server.ts'

/** What other commands of this home need to find the server and to come in. */
export interface ServerNote {
  url: string
  pid: number
  token: string
  startedAt: number
  /** PEM, where the server has a certificate that nobody else vouches for. */
  cert?: string
  fingerprint?: string
}

/** Whole or not at all; nothing waits for the disk, as it counts for nothing once this process is gone. */
export async function writeServerNote(home: string, note: ServerNote): Promise<void> {
  const path = serverFile(home)
  const fresh = `${path}.${process.pid}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await unlink(fresh).catch(() => undefined)
  await writeFile(fresh, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(fresh, path)
}

/** Takes the note away, unless it is another's by now. */
export async function removeServerNote(home: string, pid: number): Promise<void> {
  const path = serverFile(home)
  if (readServer(path)?.pid === pid) await unlink(path).catch(() => undefined)
}
