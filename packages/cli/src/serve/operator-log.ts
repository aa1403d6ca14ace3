import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerOptions } from '@maru/server'

export type OnLog = ServerOptions['onLog']
export type LogEntry = Parameters<OnLog>[0]

/** One entry as a line: when, then what it says. */
export function logLine(entry: LogEntry, now: number): string {
  return JSON.stringify({ at: new Date(now).toISOString(), ...entry })
}

const LIMIT = 10 * 1024 * 1024
const KEPT = 5
const LATER_MS = 200
const MOST_WAITING = 10_000

/** A file of lines that never grows past its limit; the older ones beside it are counted up and the oldest goes. */
export interface LogFile {
  readonly path: string
  line(text: string): void
  /** Writes what is not written yet. */
  close(): void
}

export function openLogFile(home: string, limit = LIMIT): LogFile {
  const directory = join(home, 'logs')
  const path = join(directory, 'server.log')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const text = `${waiting.join('\n')}\n`
    waiting = []
    try {
      if (size > 0 && size + text.length > limit) {
        turnOver(path)
        size = 0
      }
      appendFileSync(path, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    } catch {
      // A full disk must not end the work; whoever looks for lines finds the disk.
    }
  }
  return {
    path,
    line(text) {
      if (waiting.length < MOST_WAITING) waiting.push(text)
      timer ??= setTimeout(flush, LATER_MS)
      timer.unref()
    },
    close: flush,
  }
}

function turnOver(path: string): void {
  rmSync(`${path}.${KEPT}`, { force: true })
  for (let n = KEPT - 1; n >= 1; n--) if (isThere(`${path}.${n}`)) renameSync(`${path}.${n}`, `${path}.${n + 1}`)
  renameSync(path, `${path}.1`)
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
