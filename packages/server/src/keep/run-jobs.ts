import { askForDueSummaries, runDueJobs, summaryJobs } from '@maru/store'
import type { Inside } from '../inside.ts'
import type { ServerOptions } from '../ports.ts'
import { UPLOADS, uploadsOf } from './uploads.ts'

const LOOK_MS = 30_000
const UPLOAD_MS = 2 * 86_400_000
const TIDY_MS = 3_600_000

/** Work that nobody waits for: summaries that are due, uploads that no message has named. */
export function startJobs({ history, access, workshop, onLog, now }: ServerOptions, ownOf: Inside['ownOf']) {
  const stopping = new AbortController()
  const { signal } = stopping
  let working: Promise<void> | undefined
  let isAskedAgain = false
  // What grew while no server ran is looked at as well.
  let lookedAt = 0
  let tidiedAt = 0

  async function work(): Promise<void> {
    const people = await access.people()
    if (now() - tidiedAt > TIDY_MS) {
      tidiedAt = now()
      for (const { id } of people) {
        const own = await ownOf(id)
        await own.releaseBefore(UPLOADS, uploadsOf(now() - UPLOAD_MS))
      }
    }
    if (!workshop.summarise || signal.aborted) return
    const since = lookedAt
    const begun = now()
    for (const { id } of people) await askForDueSummaries(history.engine, id, since)
    lookedAt = begun - LOOK_MS
    const handlers = await summaryJobs((owner) => history.openOwner(owner), workshop.summarise)
    await runDueJobs(history.engine, { handlers, signal })
  }

  function look(): void {
    if (signal.aborted) return
    if (working) {
      isAskedAgain = true
      return
    }
    working = work()
      .catch((error: unknown) => {
        if (!signal.aborted)
          onLog({ level: 'warn', event: 'jobs', error: error instanceof Error ? error.name : 'unknown' })
      })
      .finally(() => {
        working = undefined
        if (!isAskedAgain) return
        isAskedAgain = false
        look()
      })
  }

  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return {
    /** There may be something to do now. */
    look,
    async close(): Promise<void> {
      clearInterval(timer)
      stopping.abort()
      await working
    },
  }
}
