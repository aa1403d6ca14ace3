import { StringDecoder } from 'node:string_decoder'
import { type Hold, type NotLet, startHeld } from './command/start-held.ts'
import { type ProcessEnd as Ended, type NotStarted, type ProcessOptions, untilEnd } from './command/start-process.ts'

export type ProcessEnd = Ended | NotStarted | NotLet

export interface RunOptions extends Omit<ProcessOptions, 'onOutput'> {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** What holds it; nothing does, if this is absent. */
  readonly hold?: Hold
  onText(stream: 'stdout' | 'stderr', text: string): void
}

/**
 * Runs a program without input and returns when it has exited and nothing of its tree is alive. Never rejects for what
 * the program does.
 */
export async function runProcess({ signal, onText, hold = {}, ...options }: RunOptions): Promise<ProcessEnd> {
  if (signal.aborted) return { kind: 'stopped', why: 'abort' }
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() }
  const onOutput: ProcessOptions['onOutput'] = (stream, bytes) => onText(stream, decoders[stream].write(bytes))
  const running = await startHeld({ ...options, onOutput }, hold)
  if ('kind' in running) return running
  const end = await untilEnd(running, signal)
  for (const stream of ['stdout', 'stderr'] as const) {
    const rest = decoders[stream].end()
    if (rest !== '') onText(stream, rest)
  }
  return end
}
