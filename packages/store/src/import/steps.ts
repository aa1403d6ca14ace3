import type { Json, Part } from '@maru/protocol'

/** Where something came from: how it is named in the history. */
export type ImportSource = 'chatgpt' | 'claude' | 'claude-code' | 'codex' | 'maru' | 'usage-log'

/** A part as it comes in; bytes become content when they are stored. */
export type ImportPart = Part | { type: 'bytes'; mediaType: string; base64: string }

/** What a source says, before it is a fact of the history. Keys and places are the source's own and stay the same. */
export type ImportFact =
  | {
      type: 'message'
      key: string
      role: 'user' | 'assistant' | 'system'
      parts: ImportPart[]
      who?: string
      model?: string
      tokens?: number
      finish?: string
      metadata?: Json
    }
  | { type: 'call-end'; callId: string; outcome: 'ok' | 'error'; exit?: number; ms?: number; parts: ImportPart[] }
  | { type: 'settings'; key: string; provider: string; model?: string; effort?: string }
  /** Kept, not understood. */
  | { type: 'foreign'; place: string; value: Json }

export interface TimedFact {
  /** When it happened, as far as the source knows. */
  at?: number
  fact: ImportFact
}

/**
 * What a reader tells, in order. Readers know nothing of what is stored already; they must say the same of the same file,
 * and of a longer one the same first.
 */
export type ImportStep =
  | SessionStep
  | ({ kind: 'fact'; session: string; node?: string } & TimedFact)
  | { kind: 'problem'; place: string; reason: string }
  /** Nothing more comes for this session, or for all so far. */
  | { kind: 'settled'; session?: string }

export interface SessionStep {
  kind: 'session'
  source: ImportSource
  /** What the source calls it: unique there, and stable. */
  key: string
  at?: number
  title?: string
  cwd?: string
  /** It goes on from another one, behind a node of that: behind its beginning if none is named. */
  fork?: { of: string; behind?: string }
}
