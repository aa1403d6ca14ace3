import type { FactOf, Recorded, RecordedOf } from '@maru/protocol'
import { refusal } from './http/problem.ts'
import type { Inside } from './inside.ts'

/** What a person answers to an agent. */
export type PersonAnswer = FactOf<'approval-answer'> | FactOf<'question-answer'>

interface Answering {
  owner: string
  session: string
  fact: PersonAnswer
}

/** An answer is taken only to what was asked, as it was asked: the same at every door. */
export async function expectAsked({ ownOf }: Inside, { owner, session, fact }: Answering): Promise<void> {
  const { conversations } = await ownOf(owner)
  if (fact.type === 'question-answer') {
    const asked = (await conversations.findNaming(session, 'question-ask', fact.questionId)).find(
      (record): record is RecordedOf<'question-ask'> =>
        record.type === 'question-ask' && record.questionId === fact.questionId,
    )
    if (!asked) throw refusal('not-found')
    const { answer } = fact
    const { options = [], allowFreeText = false } = asked
    if (answer.kind === 'option' && !options.includes(answer.option)) {
      throw refusal('bad-body', `one of ${options.join(', ') || 'none: answer in words'}`, { at: 'option' })
    }
    if (answer.kind === 'words' && options.length > 0 && !allowFreeText) {
      throw refusal('bad-body', `one of ${options.join(', ')}`, { at: 'kind' })
    }
    return
  }
  const asked = (await conversations.findNaming(session, 'approval-ask', fact.callId)).filter(
    (record): record is RecordedOf<'approval-ask'> => record.type === 'approval-ask' && record.callId === fact.callId,
  )
  if (asked.length === 0) throw refusal('not-found')
  const meant = asked.find(({ actionHash }) => actionHash === fact.actionHash)
  if (!meant) throw refusal('conflict', 'what is asked has changed since: look at it again')
  if (!meant.options.includes(fact.option)) {
    throw refusal('bad-body', `one of ${meant.options.join(', ')}`, { at: 'option' })
  }
}

/** Who let an agent do what is written down, wherever they said so; an answer that came too late let nobody do anything. */
export async function noteAnswer(
  { options }: Inside,
  { owner, session, fact, stands }: Answering & { stands: Recorded },
  address?: string,
): Promise<void> {
  if (fact.type !== 'approval-answer' || !('key' in stands) || stands.key !== fact.key) return
  await options.access.note({
    ...{ owner, action: 'approval-answered', detail: `${session} ${fact.callId} ${fact.option}` },
    ...(fact.by.door !== undefined && { door: fact.by.door }),
    ...(address !== undefined && { address }),
  })
}
