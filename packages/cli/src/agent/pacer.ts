/** Decides when to draw: at once for a key, once per frame for what streams in, a few times a second while it works. */
export interface Pacer {
  /** A person waits for it. */
  now(): void
  /** Something has changed. */
  soon(): void
  /** Time is shown, so that it has to be drawn again and again. */
  tick(isTicking: boolean): void
  close(): void
}

const FRAME_MS = 33
const TICK_MS = 250

export function createPacer(draw: () => void): Pacer {
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let ticking: NodeJS.Timeout | undefined
  let isClosed = false
  const run = () => {
    clearTimeout(timer)
    clearImmediate(immediate)
    timer = undefined
    immediate = undefined
    if (!isClosed) draw()
  }
  return {
    now() {
      immediate ??= setImmediate(run)
    },
    soon() {
      timer ??= setTimeout(run, FRAME_MS)
    },
    tick(isTicking) {
      if (isTicking) ticking ??= setInterval(run, TICK_MS).unref()
      else {
        clearInterval(ticking)
        ticking = undefined
      }
    },
    close() {
      isClosed = true
      clearInterval(ticking)
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}
