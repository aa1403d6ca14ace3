const TRIES = 250
const AGAIN_MS = 20

/**
 * Starts something on the port that it had before. A client that knocks while nobody is there may be given that very port
 * for its own end, for a moment.
 */
export async function onSamePort<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}
