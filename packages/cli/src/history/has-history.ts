import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Invocation } from '../command.ts'

/** Whether there is a history that somebody could have kept something in. It costs one look at the disk. */
export function hasHistory({ env, home }: Pick<Invocation, 'env' | 'home'>): boolean {
  return Boolean(env['DATABASE_URL']) || existsSync(join(home, 'db'))
}
