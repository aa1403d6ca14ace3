import type { Recorded } from '@maru/protocol'
import type { Head } from './head.ts'

/** Where the lines of a log are kept. It knows nothing of what they mean beyond their numbers. */
export interface Medium {
  exists(id: string): Promise<boolean>
  /**
   * Makes a log of these lines, all or none; `exists` if there is one. `synced` tells when it is on the disk; with
   * `isLong` it gets its name only then.
   */
  create(id: string, lines: AsyncIterable<string[]>, options: { isLong: boolean }): Promise<{ synced: Promise<void> }>
  /** The sole right to write, repaired and checked: `missing`, `held` or `damaged` otherwise. */
  hold(id: string): Promise<Held>
  /** Takes a log away that nobody holds, whatever state it is in. */
  remove(id: string): Promise<void>
  /** Reads from behind `after`, again and again. `missing` if there is none. */
  tail(id: string, after: number): Promise<Tail>
  head(id: string): Promise<Head>
  /** The sessions there are at this moment. */
  ids(): Iterable<string>
  /** Tells when somebody outside this process may have written. */
  onOutsideChange(id: string | undefined, listener: (id: string) => void): () => void
}

export interface Held {
  /** Kept by whoever writes; `replace` reads it anew. */
  readonly head: Head
  /** Stored when it resolves, all or none, whatever becomes of the process. */
  write(lines: string[]): Promise<void>
  /** Resolves when everything written before is on the disk. */
  sync(): Promise<void>
  /** Puts another line in the place of one. */
  replace(seq: number, line: string): Promise<void>
  remove(): Promise<void>
  release(): Promise<void>
}

export interface Tail {
  /** What is there now and was not given before. */
  drain(): AsyncIterable<Recorded[]>
  /** The log was removed, or another took its place: nothing will come any more. */
  readonly gone: boolean
  close(): Promise<void>
}
