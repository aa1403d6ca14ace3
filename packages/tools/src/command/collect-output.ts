import { createOutputCleaner } from './clean-output.ts'
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts'
import { createShownOutput, type ShownOutput } from './shown-output.ts'

type Stream = 'stdout' | 'stderr'

/** What a command writes, as it is told and kept: without signs for a terminal, and in little memory however much it is. */
export interface CollectedOutput {
  push(stream: Stream, bytes: Buffer): void
  /** Takes in the line that is not finished yet. */
  flush(): void
  /** Nothing more will come. */
  end(): void
  /** When the next bytes come. */
  more(): Promise<void>
  readonly stdout: ShownOutput
  readonly stderr: ShownOutput
  /** Both outputs as they came, line by line. */
  readonly whole: KeptBytes
}

// Of the beginning and of the end of an output. It is there several times while it is stored, and all that must be little.
const KEPT_BYTES = 2 * 1024 * 1024

export function collectOutput(): CollectedOutput {
  const whole = createKeptBytes(KEPT_BYTES)
  const shown = { stdout: createShownOutput(), stderr: createShownOutput() }
  const clean = (stream: Stream) =>
    createOutputCleaner((bytes) => {
      whole.push(bytes)
      shown[stream].push(bytes)
    })
  const cleaners = { stdout: clean('stdout'), stderr: clean('stderr') }
  const waiting: (() => void)[] = []
  return {
    ...shown,
    whole,
    push(stream, bytes) {
      cleaners[stream].push(bytes)
      for (const wake of waiting.splice(0)) wake()
    },
    flush() {
      cleaners.stdout.flush()
      cleaners.stderr.flush()
    },
    end() {
      cleaners.stdout.end()
      cleaners.stderr.end()
    },
    more: () => new Promise((resolve) => waiting.push(resolve)),
  }
}
