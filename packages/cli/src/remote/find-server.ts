import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A server that runs on this machine for the same home, and how to come in. */
export interface FoundServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly pid: number
  readonly token: string
  /** What it proves itself with, where it made that itself: PEM. */
  readonly cert?: string
}

/** Where a server says that it is there; private to its owner. */
export function serverFile(home: string): string {
  return join(home, 'server.json')
}

// Somebody waits for a prompt.
const SOON_MS = 300
/** For whoever can do nothing without it: a busy machine takes its time. */
export const PATIENT_MS = 5_000

/**
 * The server that works for this home, if there is one that answers. Where none was ever started it costs one look at
 * the disk; one that was killed, or is stuck, is none.
 */
export async function findServer(
  { home }: { home: string },
  withinMs: number = SOON_MS,
): Promise<FoundServer | undefined> {
  const path = serverFile(home)
  if (!existsSync(path)) return undefined
  const found = readServer(path)
  if (!found || !isAlive(found.pid)) return undefined
  const { isHealthy } = await import('./is-healthy.ts')
  return (await isHealthy(found, withinMs)) ? found : undefined
}

/** What the file says; nothing if it is being written, or is no such file. */
export function readServer(path: string): FoundServer | undefined {
  try {
    const { url, pid, token, cert } = JSON.parse(readFileSync(path, 'utf8')) as { [name: string]: unknown }
    if (typeof url !== 'string' || !URL.canParse(url) || typeof token !== 'string' || !isProcess(pid)) return undefined
    return { url: url.replace(/\/+$/, ''), pid, token, ...(typeof cert === 'string' && { cert }) }
  } catch {
    // Gone since, half written, or not for us to read: nobody to talk to either way.
    return undefined
  }
}

// Zero and below mean groups of processes.
function isProcess(pid: unknown): pid is number {
  return Number.isSafeInteger(pid) && Number(pid) > 0
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
