import * as z from 'zod/mini'
import { Access } from './access.ts'
import { Actor, Door } from './actor.ts'
import { Json } from './json.ts'
import { Failure, Stop, Usage } from './model.ts'
import { BlobRef, Hash, Part } from './part.ts'
import { Answer, Question } from './question.ts'
import { Diagnostic, FileChange, Preview } from './tool.ts'

const seq = z.int().check(z.positive())
const parts = z.array(Part)
const text = z.string()

// What a door admits carries who did it and a key of the door's own making: the same key twice is one fact.
const admitted = { key: z.string().check(z.minLength(1), z.maxLength(200)), by: Actor }

/** How a run ended; the user sees this name. */
export const EndReason = z.enum([
  'done',
  'turn-limit',
  'token-limit',
  'time-limit',
  'money-limit',
  'repetition',
  'interrupted',
  'failed',
])
export type EndReason = z.infer<typeof EndReason>

/** Which agent a session belongs to: ours, or somebody else's that we host or imported. */
export const AgentRef = z.object({
  kind: z.enum(['maru', 'acp', 'pty', 'copilot', 'import']),
  program: z.exactOptional(text),
  externalId: z.exactOptional(text),
})

const frame = {
  'session-start': z.object({
    type: z.literal('session-start'),
    agent: AgentRef,
    door: Door,
    cwd: z.exactOptional(text),
    forkOf: z.exactOptional(z.object({ id: text, seq })),
    parent: z.exactOptional(z.object({ id: text, callId: text })),
  }),
  // What stands where a fact was erased: who wrote it and the keys it had taken, so that it cannot come back by itself.
  erased: z.object({
    type: z.literal('erased'),
    was: text,
    by: z.enum(['door', 'runner']),
    keys: z.exactOptional(z.array(text)),
  }),
}

const byDoor = {
  'input-admit': z.object({
    type: z.literal('input-admit'),
    ...admitted,
    delivery: z.enum(['steer', 'queue']),
    parts,
  }),
  interrupt: z.object({ type: z.literal('interrupt'), ...admitted }),
  'approval-answer': z.object({
    type: z.literal('approval-answer'),
    ...admitted,
    callId: text,
    actionHash: text,
    option: text,
    words: z.exactOptional(text),
  }),
  'question-answer': z.object({ type: z.literal('question-answer'), ...admitted, questionId: text, answer: Answer }),
  'settings-change': z.object({
    type: z.literal('settings-change'),
    ...admitted,
    provider: z.exactOptional(text),
    model: z.exactOptional(text),
    mode: z.exactOptional(z.enum(['ask', 'auto', 'read-only', 'yes'])),
    effort: z.exactOptional(text),
  }),
  // Stored, runs nothing: the API and imports. `sentAt` is when it was said, `at` when it was recorded.
  'message-add': z.object({
    type: z.literal('message-add'),
    ...admitted,
    role: z.enum(['user', 'assistant', 'system']),
    parts,
    model: z.exactOptional(text),
    tokens: z.exactOptional(z.int()),
    finish: z.exactOptional(text),
    metadata: z.exactOptional(Json),
    sentAt: z.exactOptional(z.number()),
    origin: z.exactOptional(text),
  }),
  'message-hide': z.object({ type: z.literal('message-hide'), ...admitted, target: seq }),
  'title-set': z.object({ type: z.literal('title-set'), ...admitted, title: text }),
  'summary-add': z.object({
    type: z.literal('summary-add'),
    ...admitted,
    covers: z.object({ from: seq, to: seq }),
    text,
    blob: z.exactOptional(BlobRef),
  }),
  'files-restore': z.object({ type: z.literal('files-restore'), ...admitted, files: z.array(FileChange) }),
}

const byRunner = {
  // The system text and tool specs as sent, by hash, so that resume and verification are byte-stable.
  'prompt-set': z.object({ type: z.literal('prompt-set'), hash: Hash, blob: BlobRef }),
  // A JSONL log is frozen here; the store is its log from here on.
  'session-move': z.object({ type: z.literal('session-move'), to: z.literal('store') }),
  'run-start': z.object({ type: z.literal('run-start'), runId: text, inputs: z.array(seq) }),
  'run-end': z.object({
    type: z.literal('run-end'),
    runId: text,
    reason: EndReason,
    usage: z.exactOptional(Usage),
    detail: z.exactOptional(text),
  }),
  // `inputs` are those that were steered in with this turn; `seen` is the last fact its runner knew.
  'turn-start': z.object({
    type: z.literal('turn-start'),
    turnId: text,
    runId: text,
    seen: z.exactOptional(seq),
    inputs: z.exactOptional(z.array(seq)),
    provider: z.exactOptional(text),
    model: z.exactOptional(text),
    params: z.exactOptional(Json),
    requestHash: z.exactOptional(Hash),
  }),
  'turn-end': z.object({
    type: z.literal('turn-end'),
    turnId: text,
    parts,
    stop: Stop,
    usage: z.exactOptional(Usage),
  }),
  // Partial text is kept, and marked by the kind itself.
  'turn-fail': z.object({ type: z.literal('turn-fail'), turnId: text, failure: Failure, parts }),
  'approval-ask': z.object({
    type: z.literal('approval-ask'),
    callId: text,
    source: z.enum(['ours', 'observed']),
    access: z.exactOptional(z.array(Access)),
    actionHash: text,
    preview: z.exactOptional(Preview),
    reason: text,
    rule: z.exactOptional(text),
    options: z.array(text),
    expiresAt: z.exactOptional(z.number()),
  }),
  'question-ask': z.object({
    type: z.literal('question-ask'),
    questionId: text,
    callId: z.exactOptional(text),
    ...Question.shape,
  }),
  // As run: a person may have edited the arguments. Durable before the effect.
  'tool-start': z.object({
    type: z.literal('tool-start'),
    callId: text,
    tool: text,
    args: Json,
    blob: z.exactOptional(BlobRef),
  }),
  'tool-end': z.object({
    type: z.literal('tool-end'),
    callId: text,
    outcome: z.enum(['ok', 'error', 'denied', 'interrupted']),
    result: z.object({
      cwd: z.exactOptional(text),
      exit: z.exactOptional(z.int()),
      ms: z.exactOptional(z.number()),
      files: z.exactOptional(z.array(FileChange)),
      diagnostics: z.exactOptional(z.array(Diagnostic)),
    }),
    parts,
  }),
  checkpoint: z.object({ type: z.literal('checkpoint'), id: text, files: z.array(FileChange) }),
  // These change what the model sees; the transcript never changes.
  'context-prune': z.object({ type: z.literal('context-prune'), callIds: z.array(text) }),
  'context-compact': z.object({ type: z.literal('context-compact'), keepFromSeq: seq, summary: parts }),
  'context-reset': z.object({ type: z.literal('context-reset') }),
  // From elsewhere: kept, shown plainly, not understood.
  foreign: z.object({ type: z.literal('foreign'), source: text, body: Json, blob: z.exactOptional(BlobRef) }),
}

/** The schema of each fact: the one source of the types below. */
export const factSchemas = { ...frame, ...byDoor, ...byRunner }

type Infer<T extends Record<string, z.ZodMiniType>> = { [K in keyof T]: z.infer<T[K]> }[keyof T]

/** Written by the log itself. */
export type FrameFact = Infer<typeof frame>
/** Admitted by a door, at any time. */
export type DoorFact = Infer<typeof byDoor>
/** Appended by the one runner that holds the lease. */
export type RunnerFact = Infer<typeof byRunner>
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
