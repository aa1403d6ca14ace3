import type { importFile as ImportFile } from '../import/import-file.ts'
import type { dumpHistory as DumpHistory } from './dump.ts'
import type * as Inspect from './inspect.ts'
import type * as Jobs from './jobs.ts'
import type * as Mirror from './mirror.ts'
import type { restoreHistory as RestoreHistory } from './restore.ts'
import type * as Summaries from './summaries.ts'

// What works on a history is loaded when it is first asked for: most commands never do. What each does stands where it is.

export const mirrorSessions: typeof Mirror.mirrorSessions = async (...args) =>
  (await import('./mirror.ts')).mirrorSessions(...args)

export const moveSession: typeof Mirror.moveSession = async (...args) =>
  (await import('./mirror.ts')).moveSession(...args)

export const importFile: typeof ImportFile = async (...args) =>
  (await import('../import/import-file.ts')).importFile(...args)

export const dumpHistory: typeof DumpHistory = async function* (...args) {
  yield* (await import('./dump.ts')).dumpHistory(...args)
}

export const restoreHistory: typeof RestoreHistory = async (...args) =>
  (await import('./restore.ts')).restoreHistory(...args)

export const inspectHistory: typeof Inspect.inspectHistory = async (...args) =>
  (await import('./inspect.ts')).inspectHistory(...args)

export const findDifferences: typeof Inspect.findDifferences = async (...args) =>
  (await import('./inspect.ts')).findDifferences(...args)

export const findFaults: typeof Inspect.findFaults = async (...args) =>
  (await import('./inspect.ts')).findFaults(...args)

export const repairFaults: typeof Inspect.repairFaults = async (...args) =>
  (await import('./inspect.ts')).repairFaults(...args)

export const addJob: typeof Jobs.addJob = async (...args) => (await import('./jobs.ts')).addJob(...args)

export const runDueJobs: typeof Jobs.runDueJobs = async (...args) => (await import('./jobs.ts')).runDueJobs(...args)

export const askForSummary: typeof Summaries.askForSummary = async (...args) =>
  (await import('./summaries.ts')).askForSummary(...args)

export const askForDueSummaries: typeof Summaries.askForDueSummaries = async (...args) =>
  (await import('./summaries.ts')).askForDueSummaries(...args)

/** The jobs that make summaries: what their kind is, and what does them. */
export const summaryJobs = (...args: Parameters<typeof Summaries.createSummaryHandlers>) =>
  import('./summaries.ts').then(({ createSummaryHandlers }) => createSummaryHandlers(...args))
