import { constants, type Dirent, type Stats } from 'node:fs'
import { access, lstat, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { printable } from '../terminal/printable.ts'
import type { Check, Patient, Probe } from './check.ts'

const MEGABYTE = 1024 * 1024
const LITTLE = 1024 * MEGABYTE
const TOO_LITTLE = 50 * MEGABYTE
// Enough to judge; a count beyond it says "at least".
const MAX_FILES = 100_000

export const dataProbe: Probe = {
  id: 'data',
  async look(patient) {
    const { home, t } = patient
    const path = printable(home)
    const found = await statOf(home)
    if (!found) {
      const parent = await nearestExisting(home)
      if (await canWrite(parent)) return [{ id: 'data', status: 'ok', message: t('doctor.data.new', { path }) }]
      return [problem(t('doctor.data.cannot-create', { path, parent: printable(parent) }), patient)]
    }
    if (!found.isDirectory()) return [problem(t('doctor.data.not-directory', { path }), patient)]
    if (!(await canWrite(home))) return [problem(t('doctor.data.read-only', { path }), patient)]
    if (!isOpen(found)) return [{ id: 'data', status: 'ok', message: t('doctor.data.ok', { path }) }]
    return [{ id: 'data', status: 'warning', message: t('doctor.data.open', { path }), hint: `chmod 700 ${path}` }]
  },
}

function problem(message: string, { t }: Patient): Check {
  return { id: 'data', status: 'problem', message, hint: t('doctor.data.hint') }
}

export const diskProbe: Probe = {
  id: 'disk',
  async look({ home, t }) {
    const { bavail, bsize } = await statfs(await nearestExisting(home))
    const free = bavail * bsize
    const message = t('doctor.disk.free', { size: sizeOf(free) })
    if (free >= LITTLE) return [{ id: 'disk', status: 'ok', message }]
    const status = free < TOO_LITTLE ? 'problem' : 'warning'
    return [{ id: 'disk', status, message, hint: t('doctor.disk.hint') }]
  },
}

export const sessionsProbe: Probe = {
  id: 'sessions',
  async look({ files, home, t }, signal) {
    const root = join(home, 'sessions')
    const { bytes, isPartial, open, sessions } = await measure(root, signal)
    const values = { n: sessions, size: sizeOf(bytes) }
    const message = isPartial ? t('doctor.sessions.at-least', values) : t('doctor.sessions.ok', values)
    const limit = files.user.config?.disk?.maxMegabytes
    if (open > 0) {
      const hint = `chmod -R go-rwx ${printable(root)}`
      return [{ id: 'sessions', status: 'warning', message: t('doctor.sessions.open', { n: open }), hint }]
    }
    if (limit === undefined || bytes <= limit * MEGABYTE) return [{ id: 'sessions', status: 'ok', message }]
    const hint = t('doctor.sessions.over', { limit: sizeOf(limit * MEGABYTE) })
    return [{ id: 'sessions', status: 'warning', message, hint }]
  },
}

interface Measured {
  sessions: number
  bytes: number
  /** Files and directories that others may look into. */
  open: number
  isPartial: boolean
}

async function measure(root: string, signal: AbortSignal): Promise<Measured> {
  const total: Measured = { sessions: 0, bytes: 0, open: 0, isPartial: false }
  const waiting = [root]
  let files = 0
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of await entriesOf(directory)) {
      if (signal.aborted || files >= MAX_FILES) return { ...total, isPartial: true }
      files += 1
      const path = join(directory, entry.name)
      const found = await lstat(path).catch(() => undefined)
      if (!found || found.isSymbolicLink()) continue
      if (isOpen(found)) total.open += 1
      if (found.isDirectory()) waiting.push(path)
      else total.bytes += found.size
      if (directory === root && entry.name.endsWith('.jsonl')) total.sessions += 1
    }
  }
  return total
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  // Gone, not there yet, or not ours to see: nothing to count.
  return readdir(directory, { withFileTypes: true }).catch(() => [])
}

function isOpen({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}

async function statOf(path: string): Promise<Stats | undefined> {
  // Any reason not to see it is the same to the caller.
  return stat(path).catch(() => undefined)
}

async function nearestExisting(path: string): Promise<string> {
  for (let here = path; ; here = dirname(here)) {
    if ((await statOf(here)) || dirname(here) === here) return here
  }
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  )
}

function sizeOf(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.ceil(bytes / 1024)} KB`
  return bytes < 1024 * MEGABYTE ? `${Math.ceil(bytes / MEGABYTE)} MB` : `${(bytes / 1024 / MEGABYTE).toFixed(1)} GB`
}
