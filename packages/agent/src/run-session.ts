import type { DoorFact, EndReason, Stop } from '@maru/protocol'
import { createRoom } from './context/room.ts'
import type { SessionDeps } from './deps.ts'
import { Ledger } from './ledger.ts'
import { findLimit } from './limits.ts'
import { repair } from './repair.ts'
import { createRepetition } from './repetition.ts'
import type { Trees } from './trees.ts'
import { runTurn } from './turn.ts'

/**
 * Works on a session until nothing is left to do: finishes what a crash left open, then takes each input that doors
 * have admitted, `said` among them: what whoever starts this has to say. Everything it does is a fact first; answers
 * are awaited on the log, so a wait survives its process.
 */
export async function runSession(
  deps: SessionDeps,
  id: string,
  signal: AbortSignal,
  said?: DoorFact,
): Promise<EndReason> {
  const ledger = await Ledger.open(deps.log, id, deps.states)
  try {
    if (said) await ledger.admit(said)
    await repair(ledger)
    let reason: EndReason = 'done'
    if (ledger.work.run) reason = await finishRun(deps, { id, ledger, signal })
    while (!signal.aborted) {
      const inputs = nextInputs(ledger)
      if (inputs.length === 0) return reason
      await ledger.append({ type: 'run-start', runId: deps.newId(), inputs })
      reason = await finishRun(deps, { id, ledger, signal })
    }
    return ledger.work.inputs.length > 0 || reason === 'done' ? 'interrupted' : reason
  } finally {
    await ledger.close()
  }
}

// One input begins a run; what was meant to steer goes with it.
function nextInputs({ work: { inputs } }: Ledger): number[] {
  return inputs.filter(({ delivery }, at) => at === 0 || delivery === 'steer').map(({ seq }) => seq)
}

interface Running {
  id: string
  ledger: Ledger
  signal: AbortSignal
  trees?: Trees
}

async function finishRun(deps: SessionDeps, { id, ledger, signal }: Running): Promise<EndReason> {
  const { run } = ledger.work
  if (!run) throw new Error('there is no run to finish')
  const over = new AbortController()
  const interrupt = new AbortController()
  const stop = AbortSignal.any([signal, interrupt.signal])
  const isInterrupted = () => (ledger.work.interruptSeq > run.seq ? true : undefined)
  // Should the log fail, whoever writes next is told; this only listens.
  const watching = ledger.until(isInterrupted, over.signal).then(
    (found) => {
      if (found) interrupt.abort()
    },
    () => interrupt.abort(),
  )
  try {
    const running: Running = { id, ledger, signal: stop }
    const { reason, detail } = await work(deps, running)
    await running.trees?.settle()
    const usage = ledger.work.run?.usage
    await ledger.append({
      type: 'run-end',
      runId: run.runId,
      reason,
      ...(usage && { usage: { ...usage } }),
      ...(detail !== undefined && { detail }),
    })
    return reason
  } finally {
    over.abort()
    await watching
  }
}

// Stops that leave no answer, or half of one: not what anyone would call done.
const ENDINGS: { [S in Stop]?: { reason: EndReason; detail: string } } = {
  length: { reason: 'token-limit', detail: 'the answer reached the output limit of the model' },
  refusal: { reason: 'failed', detail: 'the model refused to answer' },
  filter: { reason: 'failed', detail: 'the vendor filtered the answer' },
  'context-full': { reason: 'context-full', detail: 'the conversation no longer fits into the context of the model' },
}

async function work(deps: SessionDeps, running: Running): Promise<{ reason: EndReason; detail?: string }> {
  const { ledger, signal } = running
  const CUTS_IN_A_ROW = 3
  const TOO_LONG_IN_A_ROW = 3
  const room = createRoom(deps)
  const repetition = createRepetition(deps.hash)
  const startedAt = deps.now()
  let cuts = 0
  let tooLong = 0
  for (;;) {
    if (ledger.work.calls.some(({ state }) => state !== 'ended')) {
      // Not before there is one: the first request does not wait for it.
      const [{ runCalls }, { createTrees }] = await Promise.all([import('./calls.ts'), import('./trees.ts')])
      running.trees ??= createTrees(deps, ledger)
      await runCalls(deps, { ...running, trees: running.trees, repetition })
      if (repetition.isEndless()) return { reason: 'repetition' }
    }
    if (signal.aborted) return { reason: 'interrupted' }
    const limit = findLimit(deps, ledger.work, deps.now() - startedAt)
    if (limit) return { reason: limit }
    const full = await room.make(running, { isForced: tooLong > 0 })
    if (signal.aborted) return { reason: 'interrupted' }
    if (full) return { reason: 'context-full', ...full }
    const turn = await runTurn(deps, running)
    // By the vendor's own count it was too much: with less, it may go on.
    const isTooLong = 'failure' in turn ? turn.failure.code === 'context-too-long' : turn.stop === 'context-full'
    if (isTooLong && ++tooLong < TOO_LONG_IN_A_ROW) continue
    if (!isTooLong) tooLong = 0
    if ('failure' in turn) {
      if (turn.failure.code === 'aborted') return { reason: 'interrupted' }
      if (isTooLong) return { reason: 'context-full', detail: turn.failure.message }
      // What arrived before the cut is kept, and the next request goes on from there.
      if (turn.failure.code !== 'cut' || ++cuts >= CUTS_IN_A_ROW)
        return { reason: 'failed', detail: turn.failure.message }
      continue
    }
    cuts = 0
    const isSteered = ledger.work.inputs.some(({ delivery }) => delivery === 'steer')
    if (ledger.work.calls.length > 0 || turn.stop === 'pause' || isSteered) continue
    return ENDINGS[turn.stop] ?? { reason: 'done' }
  }
}
