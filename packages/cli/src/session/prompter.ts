import type { Answer, Json, Recorded, RecordedOf } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { tellReason } from '../terminal/tell-reason.ts'
import { person } from './door.ts'
import type { SessionMasking } from './masking.ts'
import type { OpenSession } from './open-session.ts'

/** Puts what the agent asks before the person at this terminal, one thing at a time. */
export interface Prompter {
  fact(record: Recorded): void
  close(): void
}

export function createPrompter(invocation: Invocation, session: OpenSession, masking: SessionMasking): Prompter {
  const closed = new AbortController()
  const signal = AbortSignal.any([invocation.signal, closed.signal])
  let asking = Promise.resolve()
  const ask: Ask = (prompt) => askOnce(prompt, signal)
  const then = (next: () => Promise<void>) => {
    asking = asking.then(next).catch((error: unknown) => invocation.notice(printable(String(error))))
  }
  return {
    fact(record) {
      if (record.type === 'approval-ask') then(() => approve(record, ask, { invocation, session, masking }))
      if (record.type === 'question-ask') then(() => answer(record, ask, { invocation, session, masking }))
    },
    close: () => closed.abort(),
  }
}

/** A line from the terminal, empty at its end; nothing, if the run was stopped before there was one. */
type Ask = (prompt: string) => Promise<string | undefined>

// One interface per question: between questions the terminal is as it was, and Ctrl-C interrupts what runs.
async function askOnce(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined)
      return
    }
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    let said: string | undefined = ''
    const stop = () => {
      said = undefined
      lines.close()
    }
    signal.addEventListener('abort', stop)
    lines.once('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(said)
    })
    lines.once('SIGINT', () => {
      stop()
      process.kill(process.pid, 'SIGINT')
    })
    lines.question(prompt, (line) => {
      said = line
      lines.close()
    })
  })
}

interface Place {
  invocation: Invocation
  session: OpenSession
  masking: SessionMasking
}

async function approve(
  { callId, actionHash, preview, reason, why, rule, grant }: RecordedOf<'approval-ask'>,
  ask: Ask,
  { invocation: { t, style, stderr }, session, masking }: Place,
): Promise<void> {
  if (preview?.kind === 'command') {
    await stderr.line(style.bold(`$ ${printable(preview.command)}`))
    if (preview.cwd !== '.' && preview.cwd !== '') await stderr.line(style.dim(`  ${printable(preview.cwd)}/`))
  } else if (preview) await stderr.line(printable(preview.text, { keepLines: true }))
  const told = tellReason({ reason, why, rule }, t)
  await stderr.line(style.dim(`${printable(told)}${rule === undefined ? '' : ` [${printable(rule)}]`}`))
  for (const one of grant ?? []) await stderr.line(style.dim(t('session.always', { rule: showRule(one) })))
  const said = (await ask(t(grant ? 'session.approve-always' : 'session.approve')))?.trim()
  // Stopped, not answered: it stays open for whoever goes on.
  if (said === undefined) return
  const option = readAnswer(said, grant !== undefined)
  // Neither yes nor no: why not, or what to do instead, in the person's own words.
  const chosen = option === undefined ? { option: 'deny' as const, words: said } : { option }
  await admitApproval({ callId, actionHash }, chosen, { session, masking })
}

type Doorway = Pick<Place, 'session' | 'masking'>

/** Answers what was asked about a call; the first answer counts. */
export async function admitApproval(
  { callId, actionHash }: Pick<RecordedOf<'approval-ask'>, 'callId' | 'actionHash'>,
  { option, words }: { option: 'allow' | 'always' | 'deny'; words?: string },
  { session, masking }: Doorway,
): Promise<void> {
  await session.log.admit(session.id, {
    type: 'approval-answer',
    key: approvalKey({ callId, actionHash }),
    by: person,
    callId,
    actionHash,
    option,
    ...(words !== undefined && { words: await masking.admit(words) }),
  })
}

/** What an answer from this terminal to such a question is known by. */
export function approvalKey({ callId, actionHash }: { callId: string; actionHash: string }): string {
  return `approval ${callId} ${actionHash}`.slice(0, 200)
}

function readAnswer(said: string, canAlways: boolean): 'allow' | 'always' | 'deny' | undefined {
  if (/^(y|yes|네|예|ㅛ)$/i.test(said)) return 'allow'
  if (canAlways && /^(a|always|항상|ㅁ)$/i.test(said)) return 'always'
  return /^(|n|no|아니요|아니오|ㅜ)$/i.test(said) ? 'deny' : undefined
}

// As it stands in the config file afterwards.
function showRule(rule: Json): string {
  return printable(JSON.stringify(rule))
}

async function answer(
  { questionId, question, options = [], allowFreeText }: RecordedOf<'question-ask'>,
  ask: Ask,
  { invocation: { t, style, stderr }, session, masking }: Place,
): Promise<void> {
  await stderr.line(style.bold(printable(question, { keepLines: true })))
  for (const [index, option] of options.entries()) await stderr.line(`  ${index + 1}. ${printable(option)}`)
  const isFree = options.length === 0 || allowFreeText === true
  const prompt = options.length > 0 ? t('session.choose', { count: options.length }) : t('session.answer')
  const said = (await ask(prompt))?.trim()
  if (said === undefined) return
  const option = options[Number(said) - 1] ?? options.find((candidate) => candidate === said)
  const chosen: Answer =
    option !== undefined
      ? { kind: 'option', option }
      : isFree && said !== ''
        ? { kind: 'words', words: said }
        : { kind: 'cancel' }
  await admitAnswer(questionId, chosen, { session, masking })
}

/** Answers a question; the first answer counts. */
export async function admitAnswer(questionId: string, said: Answer, { session, masking }: Doorway): Promise<void> {
  const answer: Answer = said.kind === 'words' ? { ...said, words: await masking.admit(said.words) } : said
  const key = questionKey(questionId)
  await session.log.admit(session.id, { type: 'question-answer', key, by: person, questionId, answer })
}

/** What an answer from this terminal to a question of the model is known by. */
export function questionKey(questionId: string): string {
  return `question ${questionId}`
}
