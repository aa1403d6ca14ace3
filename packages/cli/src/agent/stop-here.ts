// Where nobody could wake us again (no shell above us) the system does not stop us, and no signal comes.
const PATIENCE_MS = 200

/** Stops this process and those in front of the terminal with it, as Ctrl-Z does; resolves when it goes on. */
export async function stopHere(): Promise<void> {
  await new Promise<void>((resolve) => {
    const goOn = () => {
      clearTimeout(timer)
      process.removeListener('SIGCONT', goOn)
      resolve()
    }
    const timer = setTimeout(goOn, PATIENCE_MS)
    process.once('SIGCONT', goOn)
    process.kill(0, 'SIGTSTP')
  })
}
