export type { ImportReport } from './import/import-file.ts'
export type { ImportOptions } from './import/import-options.ts'
export type { Repair } from './jsonl/held-file.ts'
export { type JsonlStore, type JsonlStoreOptions, openJsonlStore } from './jsonl/jsonl-store.ts'
export type { Glance } from './jsonl/medium.ts'
export { lockPath } from './jsonl/process-lock.ts'
export { salvage } from './jsonl/salvage.ts'
export type { Damage, Found, Scanned } from './jsonl/scan.ts'
export { createLiveBus } from './live-bus.ts'
export { type Mask, maskFact } from './mask.ts'
export { createMemoryBlobs, createMemoryLog } from './memory.ts'
export type { Access, AuditNote, Key, NewKey, Person, Scope } from './pg/access/access.ts'
export type { Conversation } from './pg/conversation-row.ts'
export type { History, HistoryOptions, OwnHistory } from './pg/history.ts'
export type { Fault, HistoryStatus } from './pg/inspect.ts'
export type { Job, JobHandler, RunJobsOptions } from './pg/jobs.ts'
export {
  addJob,
  askForDueSummaries,
  askForSummary,
  dumpHistory,
  findDifferences,
  findFaults,
  importFile,
  inspectHistory,
  mirrorSessions,
  moveSession,
  repairFaults,
  restoreHistory,
  runDueJobs,
  summaryJobs,
} from './pg/later.ts'
export type { ListOptions } from './pg/list-conversations.ts'
export type { Message, MessagePage } from './pg/messages.ts'
export type { Mirrored, MirrorOptions } from './pg/mirror.ts'
export { openHistory, packHistoryTemplate } from './pg/open-history.ts'
export type { ConversationPatch } from './pg/patch-conversation.ts'
export type { Restored } from './pg/restore.ts'
export type { Hit, HitPage, SearchFilter, SearchOptions } from './pg/search.ts'
export type { StoredSummary } from './pg/stored-summaries.ts'
export type { Summarise } from './pg/summaries.ts'
export type { Upkeep } from './pg/upkeep-notes.ts'
export type { StoredUsage } from './pg/usage.ts'
export { newSessionId } from './session-id.ts'
export type { SessionLogOptions } from './session-log.ts'
export { sha256 } from './sha256.ts'
export { uniqueHex } from './unique.ts'
