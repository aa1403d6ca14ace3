import type { SessionDeps, Settings } from '../deps.ts'
import type { Ledger } from '../ledger.ts'
import { type MakingRoom, tokensNow } from './making-room.ts'
import { ACT_AT, contextSettings, NOTICE_AT } from './settings.ts'

const TOLD_ABOVE = 0.6
// A vendor's refusal says only that it was too much.
const BELOW_CEILING = 0.85

/** Keeps the next request within what it may have. */
export interface Room {
  /** Before a turn; `isForced` after a vendor has found it too long. Gives why it cannot go on, if so. */
  make(making: MakingRoom, options?: { isForced: boolean }): Promise<{ detail: string } | undefined>
}

/** Looks whether anything must be done, which is cheap; what does it is loaded then. */
export function createRoom(deps: SessionDeps): Room {
  let hasTold = false
  let fitting: Promise<typeof import('./fit-context.ts')> | undefined
  const tell = (id: string, tokens: number, limit: number) => {
    const isHigh = tokens >= NOTICE_AT * limit
    if (isHigh && !hasTold) deps.live.publish(id, { type: 'context-level', tokens, limit })
    // Not again whenever it goes up and down a little.
    hasTold = isHigh || (hasTold && tokens >= TOLD_ABOVE * limit)
  }
  return {
    async make(making, { isForced } = { isForced: false }) {
      const { id, ledger } = making
      if (!isForced && isSurelySmall(deps, ledger)) return undefined
      const tokens = tokensNow(deps, ledger)
      const known = limitOf(deps.settings, ledger)
      // A window may be full without a refusal that says so.
      const limit = isForced ? Math.min(known, Math.floor(tokens * BELOW_CEILING)) : known
      tell(id, tokens, known)
      const isFull = isForced || tokens >= ACT_AT * limit
      if (!isFull && !mayBeStale(deps.settings, ledger)) return undefined
      fitting ??= import('./fit-context.ts')
      const { fitContext } = await fitting
      const fit = await fitContext(deps, making, { isForced, limit })
      tell(id, tokensNow(deps, ledger), known)
      return fit
    },
  }
}

// No tokenizer cuts finer than bytes, and a unit of a string is three of them at most.
const MOST_PER_UNIT = 3

// A session's first request is hardly ever long, and to estimate it takes longer than everything else about it.
function isSurelySmall(
  { settings, tools }: Pick<SessionDeps, 'settings' | 'tools'>,
  { gauge: { seen, ceiling }, context: { messages, added, waiting } }: Ledger,
): boolean {
  if (seen || ceiling !== undefined) return false
  const parts = [...messages, ...added].flatMap((message) => message.parts).concat(...Object.values(waiting))
  let units = settings.system.length + JSON.stringify(tools.list().map(({ spec }) => spec)).length
  for (const part of parts) {
    if (part.type !== 'text' || part.blob) return false
    units += part.text.length
  }
  return units * MOST_PER_UNIT < NOTICE_AT * contextSettings(settings).limit
}

function limitOf(settings: Settings, { gauge: { ceiling } }: Ledger): number {
  const { limit } = contextSettings(settings)
  return ceiling === undefined ? limit : Math.min(limit, Math.floor(ceiling * BELOW_CEILING))
}

// Only what came twice can be superfluous, and only a result makes it so: a run's first request does not look.
function mayBeStale(settings: Settings, { context: { messages } }: Ledger): boolean {
  if (!contextSettings(settings).canPrune || messages.length < 5) return false
  const last = messages.at(-1)?.parts.at(-1)?.type
  return last === 'result' || last === 'image'
}
