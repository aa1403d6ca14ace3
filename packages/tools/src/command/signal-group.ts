/** Signals every process of a group; says whether there was one. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 would be our own, and 1 everybody.
  if (group <= 1) return false
  try {
    return process.kill(-group, signal)
  } catch (error) {
    // EPERM: what is left belongs to someone else, and is not ours to end.
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) return false
    throw error
  }
}
