/** The way to the terminal; `process.stdout` is one. */
export interface TerminalPort {
  /** False when the terminal is slower than we are; `done` is called when it has taken the text. */
  write(text: string, done?: () => void): boolean
  readonly columns: number
  readonly rows: number
}

/** A port that knows whether its terminal keeps up. */
export interface Outlet {
  /** A text is on its way for which the port said "not so fast". */
  readonly isBusy: boolean
  /** `onDrained` is called once the terminal is ready again, and not at all when it was all the time. */
  write(text: string, onDrained?: () => void): void
  /** Fulfilled when the terminal has taken the text. */
  writeFully(text: string): Promise<void>
  /** Fulfilled when the terminal is ready again. */
  drained(): Promise<void>
}

/** Watches a port. */
export function createOutlet(port: TerminalPort): Outlet {
  let slow: Promise<void> | undefined

  function send(text: string): Promise<void> {
    let isTaken = false
    let isReady = true
    const taken = new Promise<void>((resolve) => {
      isReady = port.write(text, () => {
        isTaken = true
        resolve()
      })
    })
    if (!isReady && !isTaken) {
      slow = taken.then(() => {
        slow = undefined
      })
    }
    return taken
  }

  return {
    get isBusy() {
      return slow !== undefined
    },
    write(text, onDrained) {
      void send(text)
      if (onDrained !== undefined) void slow?.then(onDrained)
    },
    writeFully: (text) => (text === '' ? Promise.resolve() : send(text)),
    drained: () => slow ?? Promise.resolve(),
  }
}
