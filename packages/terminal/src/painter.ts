import type { Frame } from './frame.ts'

/** Everything that a moment of the screen depends on. */
export interface Scene {
  /** Lines to be written above the live part, once. */
  readonly printed: readonly string[]
  readonly frame: Frame
  readonly columns: number
  readonly rows: number
  /** Milliseconds of any clock. */
  readonly now: number
}

/** Knows what the terminal shows and says what has to be written to it; writes nothing itself. */
export interface Painter {
  /** The shortest text that shows the scene; `againMs`: paint once more after that time, even if nothing changes. */
  paint(scene: Scene): { text: string; againMs?: number }
  /** The terminal may have moved what is shown. */
  resized(): void
  /** Takes the live part away, cursor where it began and shown. The next scene is painted from there on. */
  clear(size: { columns: number }): string
  notify(text: string): string
}
