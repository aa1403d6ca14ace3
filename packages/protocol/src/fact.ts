import { Access, Why } from './access.ts'
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
// Tokens of the context, as counted by the runner.
const change = s.object({ before: s.int(0), after: s.int(0) })

// What a door admits carries who did it and a key of the door's own making: the same key twice is one fact.
const admitted = { key: s.string({ min: 1, max: 200 }), by: Actor }

/** How a run ended; the user sees this name. */
export const EndReason = s.oneOf([
  'done',
  'turn-limit',
  'token-limit',
  'time-limit',
  'money-limit',
  'context-full',
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
  // What a call returned, or the fact `target`, is not to be taken out of the context; `isPinned` false takes it back.
  'context-pin': s.object({
    type: s.literal('context-pin'),
    ...admitted,
    callId: s.optional(text),
    target: s.optional(seq),
    isPinned: s.boolean(),
  }),
  'files-restore': s.object({
    type: s.literal('files-restore'),
    ...admitted,
    runId: s.optional(text),
    files: s.array(FileChange),
  }),
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
    why: s.optional(Why),
    rule: s.optional(text),
    // The rules that the option `always` would add: shown before it is chosen.
    grant: s.optional(s.array(Json)),
    options: s.array(text),
    expiresAt: s.optional(s.number()),
  }),
  'question-ask': s.object({
    type: s.literal('question-ask'),
    questionId: text,
    callId: s.optional(text),
    ...Question.fields,
  }),
  // As run: a person may have edited the arguments. On the disk before the effect, if there is to be one.
  'tool-start': s.object({
    type: s.literal('tool-start'),
    callId: text,
    tool: text,
    args: Json,
    blob: s.optional(BlobRef),
    effect: s.optional(s.literal('none')),
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
      // The work tree before and after a command, in the store of snapshots; `after` may come in a checkpoint.
      snapshots: s.optional(s.object({ before: Hash, after: s.optional(Hash) })),
      diagnostics: s.optional(s.array(Diagnostic)),
      // Text from outside the repository and its people came in with it.
      tainted: s.optional(s.boolean()),
    }),
    parts,
  }),
  // The work tree as it is, kept before the next call changes it; with `callId`, as that call has left it.
  checkpoint: s.object({
    type: s.literal('checkpoint'),
    id: text,
    callId: s.optional(text),
    files: s.optional(s.array(FileChange)),
    skipped: s.optional(s.array(text)),
  }),
  // These change what the model sees; the transcript never changes.
  // `notes` stand in place of the outputs, by call; of the calls in `cuts` long arguments are taken out as well.
  'context-prune': s.object({
    type: s.literal('context-prune'),
    callIds: s.array(text),
    notes: s.optional(s.record(text)),
    cuts: s.optional(s.array(text)),
    tokens: s.optional(change),
  }),
  // `asked` is the request for a summary, so that it can be built again, and what came of it.
  'context-compact': s.object({
    type: s.literal('context-compact'),
    keepFromSeq: seq,
    summary: parts,
    tokens: s.optional(change),
    asked: s.optional(
      s.object({
        provider: s.optional(text),
        model: text,
        room: s.int(0),
        words: s.int(0),
        // What a person wanted to be kept, in their words.
        focus: s.optional(text),
        requestHash: Hash,
        usage: s.optional(Usage),
        stop: s.optional(Stop),
        failure: s.optional(Failure),
      }),
    ),
  }),
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
 * When a fact must be on the disk. A crash of the process loses nothing that was acknowledged, whatever stands here: this
 * is about power. `before` it is acknowledged: what a person said, and what is about to have an effect. `soon`: the disk
 * is asked at once but not waited for, as any fact with `before` behind it waits for both.
 */
export type Sync = 'before' | 'soon' | 'no'

/** Who writes a fact, and when it must be on the disk. */
export const FACTS: { [T in FactType]: { by: 'log' | 'door' | 'runner'; sync: Sync } } = {
  'session-start': { by: 'log', sync: 'soon' },
  erased: { by: 'log', sync: 'before' },
  'input-admit': { by: 'door', sync: 'before' },
  interrupt: { by: 'door', sync: 'before' },
  'approval-answer': { by: 'door', sync: 'before' },
  'question-answer': { by: 'door', sync: 'before' },
  'settings-change': { by: 'door', sync: 'before' },
  'message-add': { by: 'door', sync: 'before' },
  'message-hide': { by: 'door', sync: 'before' },
  'title-set': { by: 'door', sync: 'before' },
  'summary-add': { by: 'door', sync: 'before' },
  'context-pin': { by: 'door', sync: 'before' },
  'files-restore': { by: 'door', sync: 'before' },
  'prompt-set': { by: 'runner', sync: 'no' },
  'session-move': { by: 'runner', sync: 'before' },
  'run-start': { by: 'runner', sync: 'no' },
  'run-end': { by: 'runner', sync: 'before' },
  'turn-start': { by: 'runner', sync: 'no' },
  'turn-end': { by: 'runner', sync: 'soon' },
  'turn-fail': { by: 'runner', sync: 'soon' },
  'approval-ask': { by: 'runner', sync: 'no' },
  'question-ask': { by: 'runner', sync: 'no' },
  'tool-start': { by: 'runner', sync: 'before' },
  'tool-end': { by: 'runner', sync: 'no' },
  checkpoint: { by: 'runner', sync: 'before' },
  'context-prune': { by: 'runner', sync: 'no' },
  'context-compact': { by: 'runner', sync: 'before' },
  'context-reset': { by: 'runner', sync: 'no' },
  foreign: { by: 'runner', sync: 'no' },
}

/** What to do about the disk for this very fact: a call without effect can be made again, and what one left is past. */
export function syncOf(fact: Fact): Sync {
  const isLight = fact.type === 'tool-start' ? fact.effect === 'none' : fact.type === 'checkpoint' && fact.callId
  return isLight ? 'no' : FACTS[fact.type].sync
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
