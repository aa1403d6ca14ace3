import type { Answer, FileChange, Live, Recorded, RecordedOf, Usage } from '@maru/protocol'
import type { Mode } from '../config/choices.ts'
import type { OpenSession } from '../session/open-session.ts'

/** What a screen is told. Nothing here may throw. */
export interface ConversationEvents {
  /** Facts in order: `isPast` for what was there before this process. */
  fact(record: Recorded, isPast: boolean): void
  live(event: Live): void
  /** working ⇄ idle, model or mode changed, another session opened. */
  changed(): void
  /** A line for people. */
  notice(line: string): void
  /** Another session is shown from now on: forget everything, facts of it follow as past. */
  reset(): void
}

/** What holds for the next turn. */
export interface ConversationSettings {
  readonly provider: string
  readonly model: string
  readonly mode: Mode
  readonly effort?: string
  readonly root: string
  /** Whether commands are held; `unknown` until one is judged. */
  readonly sandbox: 'full' | 'none' | 'unknown'
}

/** What was taken back of a run, and what was left as it was found. */
export interface UndoReport {
  readonly runId: string
  readonly task: string
  readonly restored: readonly FileChange[]
  readonly left: readonly { path: string; why: string }[]
}

/** One session worked on from this terminal, over many runs; nothing is drawn here. */
export interface Conversation {
  readonly sessionId: string
  /** Where it is kept, to be read. */
  readonly session: OpenSession
  readonly state: 'idle' | 'working'
  /** Something was left unfinished by an earlier process: the next words, or an answer to what it asked, go on with it. */
  readonly isLeftOpen: boolean
  readonly settings: ConversationSettings
  /** Admits the words (steer: they go with the next request of the run under way; queue: a run of their own) and starts working if idle. */
  say(text: string, delivery: 'steer' | 'queue'): Promise<void>
  /** Stops the run under way cleanly; resolves when it has ended. No-op when idle. */
  interrupt(): Promise<void>
  approve(
    ask: RecordedOf<'approval-ask'>,
    answer: { option: 'allow' | 'always' | 'deny'; words?: string },
  ): Promise<void>
  answer(questionId: string, answer: Answer): Promise<void>
  /** Model and effort hold from the next turn on, the mode from the next call that is judged. */
  change(settings: { provider?: string; model?: string; mode?: Mode; effort?: string }): Promise<void>
  /** Condenses old turns; nothing, if there was nothing to condense. `words` say what the summary must not lose. */
  compact(words?: string): Promise<{ before: number; after: number } | undefined>
  /** What the agent changed in this session, as a unified diff. */
  diff(): Promise<string>
  /** Takes back the last run that changed something. */
  undo(): Promise<UndoReport>
  /**
   * Goes on in a new session that begins with this one's past up to and with the fact `at`; where that is an input, up to
   * the fact before it, so that it can be said otherwise. Without `at`: all of it.
   */
  fork(at?: number): Promise<void>
  open(id: string): Promise<void>
  /** Sessions that could be opened, newest first, where those of this machine are not meant. */
  others?(): Promise<readonly { id: string; name: string; changedAt: number; detail: string }[]>
  /** A fresh session. */
  begin(): Promise<void>
  /** Of the whole session; cheap. `money` in dollars, where every price is known. */
  usage(): { tokens: Usage; money?: number; context: { tokens: number; limit: number } }
  /** Ends what is under way and lets go of everything. May be called twice. */
  close(): Promise<void>
}
