import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lockPath } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'

// A first start makes the database.
const STARTING_MS = 10_000
const LOOK_MS = 100

/**
 * The right to serve this home, for this process alone until it is released. A server says where it is when it can be asked:
 * one that is not so far yet, or is about to end, is waited for, so that of two that start at once the second can name the first.
 */
export async function holdHome(
  invocation: Pick<Invocation, 'home' | 'json' | 'notice' | 'signal' | 't'>,
  patienceMs = STARTING_MS,
): Promise<{ release(): Promise<void> }> {
  const { home, json, signal, t } = invocation
  // Nobody but a server writes there.
  const path = join(home, 'logs')
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (let end: number | undefined; ; ) {
    await expectNoOther(invocation)
    const lock = await lockPath(path)
    if ('release' in lock) return lock
    if (end === undefined && !json) await invocation.notice(t('serve.waiting'))
    end ??= Date.now() + patienceMs
    if (Date.now() > end) throw new CliError('already-serving', t('serve.starting', { pid: lock.heldBy.pid ?? '?' }))
    await pause(LOOK_MS, undefined, { signal })
  }
}

async function expectNoOther({ home, t }: Pick<Invocation, 'home' | 't'>): Promise<void> {
  const found = await findServer({ home }, PATIENT_MS)
  if (!found) return
  throw new CliError('already-serving', t('serve.already', { url: printable(found.url), pid: found.pid }))
}
