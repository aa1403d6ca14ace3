import { bringsInText, type Masker } from '@maru/guard'
import {
  type Access,
  type Answer,
  type Diagnostic,
  type FactOf,
  type Json,
  LogError,
  type Permit,
  type Prepared,
  type Question,
  spillParts,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolSpec,
} from '@maru/protocol'
import { approve } from './approve.ts'
import { checkArguments } from './check-arguments.ts'
import type { SessionDeps } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { findMisuse, maskResult, resolveSaid } from './mask.ts'
import { renderResult } from './render-result.ts'
import type { Repetition } from './repetition.ts'
import type { Trees } from './trees.ts'
import type { CallState } from './work.ts'

interface Calling {
  id: string
  ledger: Ledger
  signal: AbortSignal
  repetition: Repetition
  trees: Trees
}

/** Runs the calls of the last turn that have not ended: those without effect side by side, the others in order. */
export async function runCalls(deps: SessionDeps, calling: Calling): Promise<void> {
  const tools = new Map(deps.tools.list().map((tool) => [tool.spec.name, tool]))
  const pending = calling.ledger.work.calls.filter(({ state }) => state !== 'ended')
  for (const group of groupCalls(pending, tools)) {
    const ended = await Promise.allSettled(group.map((call) => runCall(deps, calling, { call, tools })))
    for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason
  }
  calling.repetition.endTurn()
}

// A read behind a write must see it, so only neighbours are put together.
function groupCalls(calls: CallState[], tools: Map<string, Tool>): CallState[][] {
  const groups: CallState[][] = []
  let isOpen = false
  for (const call of calls) {
    const hasNoEffect = tools.get(call.tool)?.spec.effect === 'none'
    if (isOpen && hasNoEffect) groups.at(-1)?.push(call)
    else groups.push([call])
    isOpen = hasNoEffect
  }
  return groups
}

async function runCall(
  deps: SessionDeps,
  { id, ledger, signal, repetition, trees }: Calling,
  { call, tools }: { call: CallState; tools: Map<string, Tool> },
): Promise<void> {
  const { callId } = call
  const masker = await deps.masking?.load()
  const args = resolveSaid(await loadArguments(deps, id, call), masker)
  const name = JSON.stringify([call.tool, args])
  const end = async (outcome: Outcome, whole: ToolResult, { ms, snapshots, tainted }: Measured = {}) => {
    const result = maskResult(whole, masker)
    const { exit, files, diagnostics } = result
    const rendered = renderResult(result)
    const hadEffect = outcome === 'ok' && tools.get(call.tool)?.spec.effect !== 'none'
    const remark = outcome === 'interrupted' ? undefined : repetition.remark(name, rendered, hadEffect)
    const text = remark === undefined ? rendered : `${rendered}\n${remark}`
    // The model sees images; files are for whoever asks for them later.
    const attached = (result.parts ?? []).filter(({ type }) => type === 'image' || type === 'file')
    await ledger.append({
      type: 'tool-end',
      callId,
      outcome,
      result: {
        ...(exit !== undefined && { exit }),
        ...(ms !== undefined && { ms }),
        ...(files && { files }),
        ...(snapshots && { snapshots }),
        ...(diagnostics && { diagnostics }),
        ...(tainted && { tainted }),
      },
      parts: await spillParts([{ type: 'text', text }, ...attached], id, deps.blobs),
    })
    deps.live.settle(id, { callId })
  }
  const refuse = (outcome: Outcome, diagnostic: Diagnostic) => end(outcome, { ok: false, diagnostics: [diagnostic] })
  if (signal.aborted) return refuse('interrupted', STOPPED)

  try {
    await carryOut()
  } catch (error) {
    // A log that cannot be written ends the run; anything else is a bug, and the session it happens in goes on.
    if (error instanceof LogError && error.code !== 'rejected') throw error
    await refuse('error', crashOf(error))
  }

  async function carryOut(): Promise<void> {
    const live = createProgress(deps, { id, callId, masker })
    const tool = tools.get(call.tool)
    if (!tool) {
      const message = `there is no tool "${call.tool}"; there are ${[...tools.keys()].join(', ')}`
      return refuse('error', { code: 'unknown-tool', message })
    }
    const problems = await checkArguments(tool.spec, args)
    if (problems.length > 0) {
      repetition.fail(name)
      return end('error', { ok: false, diagnostics: problems })
    }
    if (repetition.isStruckOut(name)) return refuse('error', STRUCK_OUT)
    const context = createContext(deps, { id, ledger, signal, call, live })
    const prepared = await tool.prepare(args, context)
    const misuse = findMisuse(prepared, args)
    if (misuse) return refuse('error', misuse)
    let before: string | undefined
    let permit: Permit | undefined
    let recorded: Promise<unknown> | undefined
    if (call.state === 'ready') {
      if (deps.settings.isDryRun && tool.spec.effect !== 'none') {
        return end('ok', { ok: true, data: `dry run: nothing was done. It would: ${describe(prepared, call.tool)}` })
      }
      const verdict = await approve(deps, { call, prepared, ledger, signal })
      if (verdict.verdict === 'stop' || signal.aborted) return refuse('interrupted', STOPPED)
      if (verdict.verdict === 'no') {
        const { verdict: _verdict, ...diagnostic } = verdict
        return refuse('denied', diagnostic)
      }
      permit = verdict.permit
      const effect = onlyReads(prepared) ? 'none' : tool.spec.effect
      const kept: Awaited<ReturnType<Trees['before']>> =
        effect === 'none' ? { facts: [] } : await trees.before(prepared, signal)
      before = kept.id
      recorded = ledger.append(...kept.facts, toolStart(call, effect))
      if (!prepared.canStage) await recorded
    }
    const startedAt = deps.now()
    const result = await prepared
      .run({ ...context, ...(permit && { permit }), ...(recorded && { recorded }) })
      .catch((error: unknown) => ({ ok: false, diagnostics: [crashOf(error)] }))
    await recorded
    live.end()
    const ms = Math.round(deps.now() - startedAt)
    const measured = {
      ms,
      ...(before !== undefined && { snapshots: { before } }),
      ...(bringsInText(prepared.access) && { tainted: true }),
    }
    if (before !== undefined) trees.after(callId, before)
    // An effect that finished counts as finished, even when the user stopped the run meanwhile.
    if (signal.aborted && !result.ok) return end('interrupted', result, measured)
    if (!result.ok) repetition.fail(name)
    await end(result.ok ? 'ok' : 'error', result, measured)
  }
}

interface Measured {
  ms?: number
  snapshots?: { before: string }
  tainted?: boolean
}

function crashOf(error: unknown): Diagnostic {
  const message = `the tool itself failed: ${error instanceof Error ? error.message : String(error)}`
  return { code: 'tool-crashed', message, hint: 'try another way, and tell the user' }
}

type Outcome = FactOf<'tool-end'>['outcome']

const STOPPED: Diagnostic = { code: 'interrupted', message: 'the user stopped the run before this call ended' }
const STRUCK_OUT: Diagnostic = {
  code: 'struck-out',
  message: 'this very call has failed three times and was not run again',
  hint: 'change the arguments, do something else, or ask the user',
}

// A command that is proven to only read: there is nothing to be safe from, on the disk or in the tree.
function onlyReads({ access }: Prepared): boolean {
  const isRead = (one: Access) => (one.kind === 'run' ? one.proven === 'read-only' : one.kind === 'read')
  return access.length > 0 && access.every(isRead)
}

function toolStart({ callId, tool, args, blob }: CallState, effect: ToolSpec['effect']): FactOf<'tool-start'> {
  return { type: 'tool-start', callId, tool, args, ...(blob && { blob }), ...(effect === 'none' && { effect }) }
}

async function loadArguments({ blobs }: SessionDeps, id: string, { args, blob }: CallState): Promise<Json> {
  if (!blob) return args
  const bytes = await blobs.get(id, blob.hash)
  // Erased meanwhile: what is left does not fit the schema, and the model is told.
  if (!bytes) return null
  return JSON.parse(new TextDecoder().decode(bytes)) as Json
}

interface Progress {
  push(text: string): void
  end(): void
}

// What is not yet certain to be no secret is held back until it is.
function createProgress(
  { live }: SessionDeps,
  { id, callId, masker }: { id: string; callId: string; masker: Masker | undefined },
): Progress {
  const stream = masker?.stream()
  let offset = 0
  const publish = (text: string) => {
    if (text === '') return
    live.publish(id, { type: 'tool-progress', callId, offset, text })
    offset += text.length
  }
  return { push: (text) => publish(stream ? stream.push(text) : text), end: () => publish(stream?.end() ?? '') }
}

function createContext(
  { log, blobs, newId, settings, masking }: SessionDeps,
  {
    id,
    ledger,
    signal,
    call,
    live,
  }: { id: string; ledger: Ledger; signal: AbortSignal; call: CallState; live: Progress },
): ToolContext {
  let asked = 0
  return {
    callId: call.callId,
    signal,
    progress: live.push,
    async ask(question: Question): Promise<Answer> {
      if (settings.isUnattended) return { kind: 'cancel' }
      // After a crash the same questions come in the same order: one that was asked before is not asked again.
      const before = call.questions[asked++]
      const questionId = before ?? newId()
      if (before === undefined)
        await ledger.append({ type: 'question-ask', questionId, callId: call.callId, ...question })
      const answer = await ledger.until(() => ledger.work.answers[questionId], signal)
      return answer ?? { kind: 'cancel' }
    },
    // Bytes are a file as it was, to be put back, or an image: neither is changed, and no model reads the former.
    keep: (content) =>
      blobs.put(id, typeof content === 'string' ? (masking?.loaded?.mask(content) ?? content) : content),
    async kept(callId) {
      const blob = Object.hasOwn(ledger.work.kept, callId) ? ledger.work.kept[callId] : undefined
      if (blob) return blobs.get(id, blob.hash)
      const { readDropped } = await import('./context/read-dropped.ts')
      return readDropped(callId, { id, log, blobs, ended: ledger.work.ended })
    },
  }
}

function describe({ preview, access }: Prepared, tool: string): string {
  if (preview?.kind === 'command') return `run ${preview.command}`
  if (preview) return `${tool}\n${preview.text}`
  return `${tool} (${access.map(({ kind }) => kind).join(', ')})`
}
