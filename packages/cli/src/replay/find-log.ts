import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Translator } from '@maru/i18n'
import { usageError } from '../cli-error.ts'

/** The log that a person means by a file name, a session's id or the beginning of one. */
export async function findLog(
  name: string,
  { cwd, home, t }: { cwd: string; home: string; t: Translator },
): Promise<string> {
  const path = resolve(cwd, name)
  if (await isFile(path)) return path
  const directory = join(home, 'sessions')
  const logs = (await namesIn(directory)).filter((file) => file.endsWith('.jsonl') && file.startsWith(name)).toSorted()
  const exact = logs.find((file) => file === `${name}.jsonl`) ?? (logs.length === 1 ? logs[0] : undefined)
  if (exact !== undefined) return join(directory, exact)
  if (logs.length === 0) throw usageError(t('replay.no-session', { name, directory }))
  const example = (logs[0] ?? '').replace(/\.jsonl$/, '')
  throw usageError(t('replay.many-sessions', { name, count: logs.length, example }))
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    // Not there, or behind something that is no directory: the name means something else, or nothing.
    () => false,
  )
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
