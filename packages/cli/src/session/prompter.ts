import { createInterface, type Interface } from 'node:readline'
import type { Answer, Recorded, RecordedOf } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { person } from './door.ts'
import type { OpenSession } from './open-session.ts'

/** Puts what the agent asks before the person at this terminal, one thing at a time. */
export interface Prompter {
  fact(record: Recorded): void
  close(): void
}

export function createPrompter(invocation: Invocation, session: OpenSession): Prompter {
  let lines: Interface | undefined
  let asking = Promise.resolve()
  const ask = (prompt: string) =>
    new Promise<string | undefined>((resolve) => {
      lines ??= createInterface({ input: process.stdin, output: process.stderr })
      lines.once('close', () => resolve(undefined))
      lines.question(prompt, resolve)
    })
  return {
    fact(record) {
      if (record.type === 'approval-ask') asking = asking.then(() => approve(record, ask, { invocation, session }))
      if (record.type === 'question-ask') asking = asking.then(() => answer(record, ask, { invocation, session }))
    },
    close: () => lines?.close(),
  }
}

type Ask = (prompt: string) => Promise<string | undefined>
interface Place {
  invocation: Invocation
  session: OpenSession
}

async function approve(
  { callId, actionHash, preview, reason }: RecordedOf<'approval-ask'>,
  ask: Ask,
  { invocation: { t, style, stderr }, session }: Place,
): Promise<void> {
  if (preview?.kind === 'command') await stderr.line(style.bold(`$ ${printable(preview.command)}`))
  else if (preview) await stderr.line(printable(preview.text, { keepLines: true }))
  await stderr.line(style.dim(printable(reason)))
  const said = await ask(t('session.approve'))
  const option = /^\s*(y|yes|네|예)\s*$/i.test(said ?? '') ? 'allow' : 'deny'
  const key = `approval ${callId} ${actionHash}`.slice(0, 200)
  await session.log.admit(session.id, { type: 'approval-answer', key, by: person, callId, actionHash, option })
}

async function answer(
  { questionId, question, options = [], allowFreeText }: RecordedOf<'question-ask'>,
  ask: Ask,
  { invocation: { t, style, stderr }, session }: Place,
): Promise<void> {
  await stderr.line(style.bold(printable(question, { keepLines: true })))
  for (const [index, option] of options.entries()) await stderr.line(`  ${index + 1}. ${printable(option)}`)
  const isFree = options.length === 0 || allowFreeText === true
  const prompt = options.length > 0 ? t('session.choose', { count: options.length }) : t('session.answer')
  const said = (await ask(prompt))?.trim() ?? ''
  const option = options[Number(said) - 1] ?? options.find((candidate) => candidate === said)
  const chosen: Answer =
    option !== undefined
      ? { kind: 'option', option }
      : isFree && said !== ''
        ? { kind: 'words', words: said }
        : { kind: 'cancel' }
  await session.log.admit(session.id, {
    type: 'question-answer',
    key: `question ${questionId}`,
    by: person,
    questionId,
    answer: chosen,
  })
}
