import { StringDecoder } from 'node:string_decoder'
import {
  type ProcessEnd as Ended,
  type NotStarted,
  type ProcessOptions,
  startProcess,
  untilEnd,
} from './command/start-process.ts'

export type ProcessEnd = Ended | NotStarted

export interface RunOptions extends Omit<ProcessOptions, 'onOutput'> {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  onText(stream: 'stdout' | 'stderr', text: string): void
}

/**
 * Runs a program without input and returns when it has exited and nothing of its tree is alive. Never rejects for what
 * the program does.
 */
export async function runProcess({ signal, onText, ...options }: RunOptions): Promise<ProcessEnd> {
  if (signal.aborted) return { kind: 'stopped', why: 'abort' }
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() }
  const onOutput: ProcessOptions['onOutput'] = (stream, bytes) => onText(stream, decoders[stream].write(bytes))
  const running = await startProcess({ ...options, onOutput })
  if ('kind' in running) return running
  const end = await untilEnd(running, signal)
  for (const stream of ['stdout', 'stderr'] as const) {
    const rest = decoders[stream].end()
    if (rest !== '') onText(stream, rest)
  }
  return end
}
