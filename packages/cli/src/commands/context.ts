import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { drawContext, drawDropped } from '../context/draw.ts'
import { readContext } from '../context/read-context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { person } from '../session/door.ts'
import type { OpenSession } from '../session/open-session.ts'
import { modelOptions } from '../session/session-options.ts'
import { findSession } from '../sessions/find-session.ts'
import { printable } from '../terminal/printable.ts'
import { tellFailure } from '../terminal/tell-failure.ts'

export const context = defineCommand({
  usage: ['context [SESSION]'],
  details: 'context.details',
  options: {
    dropped: { kind: 'flag', summary: 'option.dropped' },
    pin: { kind: 'value', value: 'CALLID|SEQ', summary: 'option.pin' },
    unpin: { kind: 'value', value: 'CALLID|SEQ', summary: 'option.unpin' },
    compact: { kind: 'flag', summary: 'option.compact' },
    provider: modelOptions.provider,
    model: modelOptions.model,
    'base-url': modelOptions['base-url'],
  },
  positionals: [{ name: 'SESSION', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { positionals, options } = invocation
    const session = await findSession(invocation, positionals[0])
    try {
      if (options.pin !== undefined) return await pin(invocation, session, { name: options.pin, isPinned: true })
      if (options.unpin !== undefined) return await pin(invocation, session, { name: options.unpin, isPinned: false })
      if (options.compact) return await compact(invocation, session)
      return await show(invocation, session, options.dropped)
    } finally {
      await session.log.close()
    }
  },
})

async function show(invocation: Invocation, session: OpenSession, isDropped: boolean): Promise<ExitCode> {
  const { json, stdout, signal } = invocation
  const found = await readContext(session, await invocation.config())
  if (signal.aborted) return EXIT.interrupted
  const { dropped, ...rest } = found
  if (json)
    await stdout.line(JSON.stringify(isDropped ? { session: session.id, dropped } : { session: session.id, ...rest }))
  else
    for (const line of isDropped ? drawDropped(found, invocation) : drawContext(found, invocation))
      await stdout.line(line)
  return EXIT.done
}

async function pin(
  { t, json, stdout }: Invocation,
  { log, id, project }: OpenSession,
  { name, isPinned }: { name: string; isPinned: boolean },
): Promise<ExitCode> {
  const { work } = await import('@maru/agent')
  const { uniqueHex } = await import('@maru/store')
  const { ended } = await project(id, work)
  const isCall = Object.hasOwn(ended, name)
  const target = Number(name)
  const isThere = Number.isSafeInteger(target) && target > 0 && (await hasFact({ log, id }, target))
  if (!isCall && !isThere) throw usageError(t('context.no-target', { name: printable(name) }))
  const what = isCall ? { callId: name } : { target }
  await log.admit(id, { type: 'context-pin', key: uniqueHex(32), by: person, ...what, isPinned })
  if (json) await stdout.line(JSON.stringify({ session: id, ...what, isPinned }))
  else await stdout.line(t(isPinned ? 'context.pinned' : 'context.unpinned', { name: printable(name) }))
  return EXIT.done
}

async function hasFact({ log, id }: Pick<OpenSession, 'log' | 'id'>, seq: number): Promise<boolean> {
  for await (const record of log.read(id, seq - 1)) return record.seq === seq
  return false
}

async function compact(invocation: Invocation, session: OpenSession): Promise<ExitCode> {
  const { t, json, stdout, signal, notice } = invocation
  const [{ compactSession }, { createSessionMasking }, { prepareDeps }, { createLiveBus }] = await Promise.all([
    import('@maru/agent'),
    import('../session/masking.ts'),
    import('../session/prepare-deps.ts'),
    import('@maru/store'),
  ])
  const masking = createSessionMasking(invocation)
  const makeDeps = await prepareDeps(invocation, { hasTools: true }, masking)
  const deps = await makeDeps({
    session,
    live: createLiveBus(),
    isDryRun: false,
    isAttended: false,
    onRetry: (waitMs, reason) =>
      void notice(t('session.retry', { reason: printable(tellFailure(reason, t)), seconds: Math.ceil(waitMs / 1000) })),
    onNotice: () => undefined,
  })
  try {
    const tokens = await compactSession(deps, session.id, { signal })
    if (!tokens && signal.aborted) return EXIT.interrupted
    if (json) await stdout.line(JSON.stringify({ session: session.id, tokens: tokens ?? null }))
    else await stdout.line(tokens ? t('context.compacted', tokens) : t('context.nothing'))
    return EXIT.done
  } finally {
    await deps.close()
  }
}
