/** Takes over what Ctrl-C does, wherever the terminal sends it as a signal; gives it back by what it returns. */
export function takeInterrupts(handle: () => void): () => void {
  const listeners = process.listeners('SIGINT')
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', handle)
  return () => {
    process.removeListener('SIGINT', handle)
    for (const listener of listeners) process.on('SIGINT', listener)
  }
}
