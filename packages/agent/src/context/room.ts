import type { SessionDeps, Settings } from '../deps.ts'
import type { Ledger } from '../ledger.ts'
import { countContext } from './count.ts'

/** What the context of a session may take, and what may be done about it. */
export interface ContextSettings {
  /** Tokens of a request. */
  limit: number
  /** Old turns may be condensed when they no longer fit. */
  canCompact: boolean
  /** Superfluous outputs may be taken out. */
  canPrune: boolean
}

export const CONTEXT_LIMIT = 100_000

const DEFAULTS: ContextSettings = { limit: CONTEXT_LIMIT, canCompact: true, canPrune: true }

export const contextSettings = ({ context }: Pick<Settings, 'context'>): ContextSettings => context ?? DEFAULTS

/** A person is told from this share of the limit on. */
export const NOTICE_AT = 0.8
const TOLD_ABOVE = 0.6
/** Something is done from here on: an estimate may be a few percent too low. */
export const ACT_AT = 0.92
// A vendor's refusal says only that it was too much.
const BELOW_CEILING = 0.85

export interface MakingRoom {
  id: string
  ledger: Ledger
  signal: AbortSignal
}

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
      const limit = limitOf(deps.settings, ledger)
      const tokens = tokensNow(deps, ledger)
      tell(id, tokens, limit)
      const isFull = isForced || tokens >= ACT_AT * limit
      if (!isFull && !mayBeStale(deps.settings, ledger)) return undefined
      fitting ??= import('./fit-context.ts')
      const { fitContext } = await fitting
      const fit = await fitContext(deps, making, { isForced, limit })
      tell(id, tokensNow(deps, ledger), limit)
      return fit
    },
  }
}

/** Tokens of the next request, as far as they are known. */
export function tokensNow(
  { settings, tools }: Pick<SessionDeps, 'settings' | 'tools'>,
  { gauge, context }: Ledger,
): number {
  const { model, system } = settings
  return countContext(gauge, context, { model, system, tools: () => tools.list().map(({ spec }) => spec) })
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
