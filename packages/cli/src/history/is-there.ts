import { LogError, type SessionLog } from '@maru/protocol'

/** Whether a log has anything of this id. */
export async function isThere(log: Pick<SessionLog, 'read'>, id: string): Promise<boolean> {
  try {
    for await (const _ of log.read(id)) return true
    return false
  } catch (error) {
    if (error instanceof LogError && (error.code === 'missing' || error.code === 'rejected')) return false
    throw error
  }
}
