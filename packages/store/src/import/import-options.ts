import type { OwnHistory } from '../pg/history.ts'

/** How a file is brought in. */
export interface ImportOptions {
  own: OwnHistory
  now(): number
  /** Only says what would come in. */
  isDry: boolean
  signal: AbortSignal
  isSensitive(text: string): boolean
  /** Takes secrets out of facts that come as they are; other texts are masked by whoever stores them. */
  mask?(text: string): string
  onProgress?(progress: { done: number; total: number }): void
  /** Told of each thing that cannot be read, with where it stands. */
  onProblem(problem: { place: string; reason: string }): void
}
