import { LogError } from '@maru/protocol'

/** An error of the database as the log's callers know them: refused, full or broken, with what the database said. */
export function toLogError(error: unknown): unknown {
  if (error instanceof LogError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // disk_full, and what the file system under PGlite says.
  const isFull = code === '53100' || /ENOSPC|No space left/i.test(error.message)
  return new LogError(isFull ? 'full' : 'failed', `the history could not be reached: ${error.message}`, {
    cause: error,
  })
}
