import { type Preview, type Step, transcript } from '@maru/protocol'
import type { Speech } from './speech.ts'
import type { ToolOutput } from './tool-output.ts'
import type { SaidWords } from './words-lines.ts'

/** What is known of the session that is shown. */
export interface Seen {
  readonly state: ReturnType<typeof transcript.create>
  readonly queued: Map<number, SaidWords>
  readonly previews: Map<string, Preview>
  readonly started: Map<string, number>
  readonly outputs: Map<string, ToolOutput>
  /** How many calls of the first entry that waits have been printed. */
  printed: number
  speech: { turnId: string; speech: Speech } | undefined
  last: { step: Step; preview: Preview | undefined } | undefined
  /** The reason why the run will end has been told. */
  hasFailed: boolean
  /** Something was said. */
  isUsed: boolean
}

export function createSeen(): Seen {
  return {
    state: transcript.create(),
    queued: new Map(),
    previews: new Map(),
    started: new Map(),
    outputs: new Map(),
    printed: 0,
    speech: undefined,
    last: undefined,
    hasFailed: false,
    isUsed: false,
  }
}

const ENDED: ReadonlySet<Step['state']> = new Set(['ok', 'error', 'denied', 'interrupted'])

export function isEnded({ state }: Step): boolean {
  return ENDED.has(state)
}
