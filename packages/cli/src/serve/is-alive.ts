/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
