import type { EndReason } from '@maru/protocol'
import type { SessionDeps } from './deps.ts'
import type { WorkState } from './work.ts'

/** The limit that a run has reached, if any. Looked at between turns: a turn is never cut in two. */
export function findLimit(
  { settings: { limits }, price }: Pick<SessionDeps, 'settings' | 'price'>,
  { run }: WorkState,
  elapsed: number,
): EndReason | undefined {
  if (!run) return undefined
  const { turns, usage } = run
  if (turns >= limits.turns) return 'turn-limit'
  if (limits.tokens !== undefined && usage.input + usage.output >= limits.tokens) return 'token-limit'
  if (limits.milliseconds !== undefined && elapsed >= limits.milliseconds) return 'time-limit'
  if (limits.money !== undefined && (price?.(usage) ?? 0) >= limits.money) return 'money-limit'
  return undefined
}
