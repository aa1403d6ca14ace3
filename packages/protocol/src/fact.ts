import { Access } from './access.ts'
import { Actor, Door } from './actor.ts'
import { Json } from './json.ts'
import { Failure, Stop, Usage } from './model.ts'
import { BlobRef, Hash, Part } from './part.ts'
import { Answer, Question } from './question.ts'
import * as s from './shape.ts'
import { Diagnostic, FileChange, Preview } from './tool.ts'

const seq = s.int(1)
const parts = s.array(Part)
const text = s.string()

// What a door admits carries who did it and a key of the door's own making: the same key twice is one fact.
const admitted = { key: s.string({ min: 1, max: 200 }), by: Actor }

/** How a run ended; the user sees this name. */
export const EndReason = s.oneOf([
  'done',
  'turn-limit',
  'token-limit',
  'time-limit',
  'money-limit',
  'repetition',
  'interrupted',
  'failed',
])
export type EndReason = s.Infer<typeof EndReason>

/** Which agent a session belongs to: ours, or somebody else's that we host or imported. */
export const AgentRef = s.object({
  kind: s.oneOf(['maru', 'acp', 'pty', 'copilot', 'import']),
  program: s.optional(text),
  externalId: s.optional(text),
})

const frame = {
  'session-start': s.object({
    type: s.literal('session-start'),
    agent: AgentRef,
    door: Door,
    cwd: s.optional(text),
    forkOf: s.optional(s.object({ id: text, seq })),
    parent: s.optional(s.object({ id: text, callId: text })),
  }),
  // What stands where a fact was erased: who wrote it and the keys it had taken, so that it cannot come back by itself.
  erased: s.object({
    type: s.literal('erased'),
    was: text,
    by: s.oneOf(['door', 'runner']),
    keys: s.optional(s.array(text)),
  }),
}

const byDoor = {
  'input-admit': s.object({
    type: s.literal('input-admit'),
    ...admitted,
    delivery: s.oneOf(['steer', 'queue']),
    parts,
  }),
  interrupt: s.object({ type: s.literal('interrupt'), ...admitted }),
  'approval-answer': s.object({
    type: s.literal('approval-answer'),
    ...admitted,
    callId: text,
    actionHash: text,
    option: text,
    words: s.optional(text),
  }),
  'question-answer': s.object({ type: s.literal('question-answer'), ...admitted, questionId: text, answer: Answer }),
  'settings-change': s.object({
    type: s.literal('settings-change'),
    ...admitted,
    provider: s.optional(text),
    model: s.optional(text),
    mode: s.optional(s.oneOf(['ask', 'auto', 'read-only', 'yes'])),
    effort: s.optional(text),
  }),
  // Stored, runs nothing: the API and imports. `sentAt` is when it was said, `at` when it was recorded.
  'message-add': s.object({
    type: s.literal('message-add'),
    ...admitted,
    role: s.oneOf(['user', 'assistant', 'system']),
    parts,
    model: s.optional(text),
    tokens: s.optional(s.int()),
    finish: s.optional(text),
    metadata: s.optional(Json),
    sentAt: s.optional(s.number()),
    origin: s.optional(text),
  }),
  'message-hide': s.object({ type: s.literal('message-hide'), ...admitted, target: seq }),
  'title-set': s.object({ type: s.literal('title-set'), ...admitted, title: text }),
  'summary-add': s.object({
    type: s.literal('summary-add'),
    ...admitted,
    covers: s.object({ from: seq, to: seq }),
    text,
    blob: s.optional(BlobRef),
  }),
  'files-restore': s.object({ type: s.literal('files-restore'), ...admitted, files: s.array(FileChange) }),
}

const byRunner = {
  // The system text and tool specs as sent, by hash, so that resume and verification are byte-stable.
  'prompt-set': s.object({ type: s.literal('prompt-set'), hash: Hash, blob: BlobRef }),
  // A JSONL log is frozen here; the store is its log from here on.
  'session-move': s.object({ type: s.literal('session-move'), to: s.literal('store') }),
  'run-start': s.object({ type: s.literal('run-start'), runId: text, inputs: s.array(seq) }),
  'run-end': s.object({
    type: s.literal('run-end'),
    runId: text,
    reason: EndReason,
    usage: s.optional(Usage),
    detail: s.optional(text),
  }),
  // `inputs` are those that were steered in with this turn; `seen` is the last fact its runner knew.
  'turn-start': s.object({
    type: s.literal('turn-start'),
    turnId: text,
    runId: text,
    seen: s.optional(seq),
    inputs: s.optional(s.array(seq)),
    provider: s.optional(text),
    model: s.optional(text),
    params: s.optional(Json),
    requestHash: s.optional(Hash),
  }),
  'turn-end': s.object({
    type: s.literal('turn-end'),
    turnId: text,
    parts,
    stop: Stop,
    usage: s.optional(Usage),
  }),
  // Partial text is kept, and marked by the kind itself.
  'turn-fail': s.object({ type: s.literal('turn-fail'), turnId: text, failure: Failure, parts }),
  'approval-ask': s.object({
    type: s.literal('approval-ask'),
    callId: text,
    source: s.oneOf(['ours', 'observed']),
    access: s.optional(s.array(Access)),
    actionHash: text,
    preview: s.optional(Preview),
    reason: text,
    rule: s.optional(text),
    options: s.array(text),
    expiresAt: s.optional(s.number()),
  }),
  'question-ask': s.object({
    type: s.literal('question-ask'),
    questionId: text,
    callId: s.optional(text),
    ...Question.fields,
  }),
  // As run: a person may have edited the arguments. Durable before the effect.
  'tool-start': s.object({
    type: s.literal('tool-start'),
    callId: text,
    tool: text,
    args: Json,
    blob: s.optional(BlobRef),
  }),
  'tool-end': s.object({
    type: s.literal('tool-end'),
    callId: text,
    outcome: s.oneOf(['ok', 'error', 'denied', 'interrupted']),
    result: s.object({
      cwd: s.optional(text),
      exit: s.optional(s.int()),
      ms: s.optional(s.number()),
      files: s.optional(s.array(FileChange)),
      diagnostics: s.optional(s.array(Diagnostic)),
    }),
    parts,
  }),
  checkpoint: s.object({ type: s.literal('checkpoint'), id: text, files: s.array(FileChange) }),
  // These change what the model sees; the transcript never changes.
  'context-prune': s.object({ type: s.literal('context-prune'), callIds: s.array(text) }),
  'context-compact': s.object({ type: s.literal('context-compact'), keepFromSeq: seq, summary: parts }),
  'context-reset': s.object({ type: s.literal('context-reset') }),
  // From elsewhere: kept, shown plainly, not understood.
  foreign: s.object({ type: s.literal('foreign'), source: text, body: Json, blob: s.optional(BlobRef) }),
}

/** The schema of each fact: the one source of the types below. */
export const factSchemas = { ...frame, ...byDoor, ...byRunner }

type AnyOf<T> = { [K in keyof T]: s.Infer<T[K]> }[keyof T]

/** Written by the log itself. */
export type FrameFact = AnyOf<typeof frame>
/** Admitted by a door, at any time. */
export type DoorFact = AnyOf<typeof byDoor>
/** Appended by the one runner that holds the lease. */
export type RunnerFact = AnyOf<typeof byRunner>
export type Fact = FrameFact | DoorFact | RunnerFact
export type FactType = Fact['type']
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>

/**
 * Who writes a fact, and whether it must be on disk before it is acknowledged. A crash of the process loses nothing
 * that was acknowledged either way; `sync` is about power: what a person said, what is about to have an effect, and
 * the end of a turn.
 */
export const FACTS: { [T in FactType]: { by: 'log' | 'door' | 'runner'; sync: boolean } } = {
  'session-start': { by: 'log', sync: true },
  erased: { by: 'log', sync: true },
  'input-admit': { by: 'door', sync: true },
  interrupt: { by: 'door', sync: true },
  'approval-answer': { by: 'door', sync: true },
  'question-answer': { by: 'door', sync: true },
  'settings-change': { by: 'door', sync: true },
  'message-add': { by: 'door', sync: true },
  'message-hide': { by: 'door', sync: true },
  'title-set': { by: 'door', sync: true },
  'summary-add': { by: 'door', sync: true },
  'files-restore': { by: 'door', sync: true },
  'prompt-set': { by: 'runner', sync: false },
  'session-move': { by: 'runner', sync: true },
  'run-start': { by: 'runner', sync: false },
  'run-end': { by: 'runner', sync: true },
  'turn-start': { by: 'runner', sync: false },
  'turn-end': { by: 'runner', sync: true },
  'turn-fail': { by: 'runner', sync: true },
  'approval-ask': { by: 'runner', sync: false },
  'question-ask': { by: 'runner', sync: false },
  'tool-start': { by: 'runner', sync: true },
  'tool-end': { by: 'runner', sync: false },
  checkpoint: { by: 'runner', sync: true },
  'context-prune': { by: 'runner', sync: false },
  'context-compact': { by: 'runner', sync: true },
  'context-reset': { by: 'runner', sync: false },
  foreign: { by: 'runner', sync: false },
}

/** Names that no second admitted fact of a session may take: its key and, for an answer, what it answers. */
export function admissionKeys(fact: DoorFact): string[] {
  const key = `key:${fact.key}`
  switch (fact.type) {
    case 'approval-answer':
      return [key, `approval:${JSON.stringify([fact.callId, fact.actionHash])}`]
    case 'question-answer':
      return [key, `question:${fact.questionId}`]
    default:
      return [key]
  }
}
