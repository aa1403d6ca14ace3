import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type History, mirrorSessions, type OwnHistory, uniqueHex } from '@maru/store'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { createProgress } from './progress.ts'

/** Brings the terminal's sessions into the history as far as they are not there, and says so when that takes a while. */
export async function bringSessions(invocation: Invocation, history: History, own: OwnHistory): Promise<void> {
  const { home, signal, t } = invocation
  const progress = createProgress(invocation)
  const { problems } = await mirrorSessions(history, own, {
    directory: join(home, 'sessions'),
    source: homeIdOf(home),
    signal,
    onProgress: ({ done, total }) => progress.show(t('history.mirroring', { done, total })),
  }).finally(() => progress.end())
  for (const { id, problem } of problems) {
    await invocation.notice(t('history.not-mirrored', { id: printable(id), problem: printable(problem) }))
  }
}

/** A name for this place that no other has: several may share one server. */
export function homeIdOf(home: string): string {
  const path = join(home, 'home.id')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    const fresh = uniqueHex(32)
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${fresh}\n`, { mode: 0o600 })
    return fresh
  }
}
