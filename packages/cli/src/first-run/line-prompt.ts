import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import type { Invocation } from '../command.ts'

/** Asks a person for single lines; works in any terminal, and leaves it as it was. */
export interface LinePrompt {
  /** What was typed; nothing at the end of the input, or when it was interrupted. */
  ask(question: string): Promise<string | undefined>
  /** The same without showing what is typed. */
  askSecretly(question: string): Promise<string | undefined>
  isInterrupted(): boolean
  close(): void
}

export function openLinePrompt({ stdin, stdout, signal }: Pick<Invocation, 'stdin' | 'stdout' | 'signal'>): LinePrompt {
  let isMuted = false
  let isInterrupted = false
  // Readline itself shows what is typed. It has to be told at once, or what was muted would be shown a moment later.
  const output = new Writable({
    write(text: Buffer, _encoding, done) {
      if (!isMuted) void stdout.write(text)
      done()
    },
  })
  // Not by way of an iterator: that would end the stream for whoever reads it next.
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin)
  const isTerminal = 'setRawMode' in input
  const lines = createInterface({
    input,
    output: Object.assign(output, { columns: stdout.columns }),
    terminal: isTerminal,
    // A key must not come back by the arrow up.
    historySize: 0,
  })
  const typed: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let isClosed = false
  const stop = () => {
    isInterrupted = true
    lines.close()
  }
  const answer = (line: string | undefined) => {
    const resolve = waiting
    waiting = undefined
    resolve?.(line)
  }
  lines.on('line', (line) => (waiting ? answer(line) : typed.push(line)))
  lines.on('SIGINT', stop)
  lines.on('close', () => {
    isClosed = true
    signal.removeEventListener('abort', stop)
    answer(undefined)
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  const ask = (question: string) =>
    new Promise<string | undefined>((resolve) => {
      if (!isClosed) {
        lines.setPrompt(question)
        lines.prompt()
      }
      const early = typed.shift()
      if (early !== undefined || isClosed) resolve(early)
      else waiting = resolve
    })
  return {
    ask,
    async askSecretly(question) {
      const asked = ask(question)
      isMuted = true
      try {
        return await asked
      } finally {
        isMuted = false
        // The end of the line was not shown either.
        await stdout.line()
      }
    },
    isInterrupted: () => isInterrupted,
    close: () => lines.close(),
  }
}
