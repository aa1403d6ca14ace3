export { alteredLog } from './altered-log.ts'

import * as shape from './shape.ts'

export { Access, Why } from './access.ts'
export { Actor, Door } from './actor.ts'
export { type Command, type DoorIntent, readCommand } from './command.ts'
export { cutAfter } from './cut-after.ts'
export {
  AgentRef,
  admissionKeys,
  type DoorFact,
  EndReason,
  FACTS,
  type Fact,
  type FactOf,
  type FactType,
  type FrameFact,
  factSchemas,
  type RunnerFact,
  type Sync,
  syncOf,
} from './fact.ts'
export { Json } from './json.ts'
export { LIVE, Live, type LiveType } from './live.ts'
export {
  type BlobStore,
  type Change,
  type Lease,
  type LiveBus,
  LogError,
  type LogErrorCode,
  MAX_RECORD_BYTES,
  type OpenTurn,
  type SessionInfo,
  type SessionLog,
  type SessionStart,
} from './log.ts'
export {
  Failure,
  ModelEvent,
  type ModelImage,
  type ModelMessage,
  type ModelParams,
  type ModelPart,
  type ModelProvider,
  type ModelRequest,
  Stop,
  Usage,
} from './model.ts'
export { BLOB_THRESHOLD, BlobRef, Hash, Part } from './part.ts'
export type { Projection, StateCache } from './projection.ts'
export { Answer, Question } from './question.ts'
export {
  type Envelope,
  FACT_VERSION,
  factProblem,
  isByRunner,
  printRecord,
  type Recorded,
  type RecordedOf,
  readRecord,
  type UnknownFact,
  UPCASTERS,
} from './record.ts'
export { fits, type Infer, misfit, type ObjectShape, type Shape } from './shape.ts'
export { spillParts } from './spill.ts'
export {
  Diagnostic,
  FileChange,
  type Permit,
  type Prepared,
  Preview,
  type Tool,
  type ToolContext,
  ToolResult,
  type ToolSource,
  ToolSpec,
} from './tool.ts'
export {
  type Entry,
  type MessageEntry,
  type NoteEntry,
  type Step,
  type TranscriptState,
  takeFinished,
  transcript,
} from './transcript.ts'
export {
  api,
  CLOSE,
  ClientFrame,
  type LogAnswers,
  LogCall,
  MAX_FRAME_BYTES,
  Problem,
  type ServerFrame,
  SocketDoor,
} from './wire/index.ts'
export { shape }
