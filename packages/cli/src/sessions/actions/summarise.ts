import { summarise as askModel, type Spoken } from '@maru/agent'
import { type MessageEntry, transcript } from '@maru/protocol'
import { CliError, usageError } from '../../cli-error.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { person } from '../../session/door.ts'
import { createSessionMasking } from '../../session/masking.ts'
import { createModelSide } from '../../session/model-side.ts'
import type { OpenSession } from '../../session/open-session.ts'
import { printable } from '../../terminal/printable.ts'
import { tellFailure } from '../../terminal/tell-failure.ts'
import { findSession } from '../find-session.ts'
import type { SessionsInvocation } from '../options.ts'

const WORDS = 500
const MOST_WORDS = 5_000

/** Has the model say what a session came to: main points, decisions, next actions. It is kept in the session's log. */
export async function summarise(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, json, signal, stdout, t } = invocation
  const maxWords = readWords(invocation)
  const session = await findSession(invocation, positionals[1])
  try {
    const { spoken, last } = await readSpoken(session)
    if (spoken.length === 0) throw usageError(t('sessions.nothing-said', { id: printable(session.id) }))
    const { settings } = await invocation.config()
    const { provider, model, key } = await createModelSide(settings, invocation, undefined)
    const masking = createSessionMasking(invocation)
    masking.know(key)
    const readBlob = async ({ hash }: { hash: string }) => textOf(await session.blobs.get(session.id, hash))
    const made = await askModel(spoken, { provider, model, maxWords, readBlob }, signal)
    if (signal.aborted) return EXIT.interrupted
    // What could be taken from the log alone is no summary worth keeping: the person can ask again.
    if (made.by === 'log') throw new CliError('no-summary', tellFailure(made.failure?.message ?? '', t))
    const text = (await masking.load()).mask(made.text)
    const covers = { from: 1, to: last }
    await stdout.line(json ? JSON.stringify({ session: session.id, covers, text, usage: made.usage }) : text)
    // It was paid for: should the log not take it, it has been seen.
    await session.log.admit(session.id, { type: 'summary-add', key: `summary ${last}`, by: person, covers, text })
    return EXIT.done
  } finally {
    await session.log.close()
  }
}

async function readSpoken({ id, log }: OpenSession): Promise<{ spoken: Spoken[]; last: number }> {
  const state = transcript.create()
  let last = 0
  for await (const record of log.read(id)) {
    transcript.apply(state, record)
    last = record.seq
  }
  return { spoken: state.waiting.filter(({ kind }) => kind === 'message') as MessageEntry[], last }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes)
}

function readWords({ options: { words }, t }: SessionsInvocation): number {
  if (words === undefined) return WORDS
  if (/^[1-9]\d{0,3}$/.test(words) && Number(words) <= MOST_WORDS) return Number(words)
  throw usageError(t('sessions.bad-words', { value: printable(words), most: MOST_WORDS }))
}
