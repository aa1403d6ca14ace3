/** Where text goes. Await each write: that is how a slow reader slows us down instead of filling memory. */
export interface Output {
  readonly isTerminal: boolean
  /** Columns of the terminal, 80 where there is none. */
  readonly columns: number
  /** Text, or bytes as they are. */
  write(text: string | Uint8Array): Promise<void>
  line(text?: string): Promise<void>
}

/** What a stream of Node offers and a test can fake. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string | Uint8Array, done: () => void): boolean
}

export function createOutput(stream: Stream): Output {
  const write = (text: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      // The callback also comes when the reader has gone: who writes then is told by the signal, not by a throw.
      if (stream.write(text, resolve)) resolve()
    })
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 80
    },
    write,
    line: (text = '') => write(`${text}\n`),
  }
}
