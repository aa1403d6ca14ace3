import {
  type Actor,
  type ClientFrame,
  type Door,
  type Problem,
  type Recorded,
  readCommand,
  spillParts,
} from '@maru/protocol'
import type { Key, OwnHistory } from '@maru/store'
import { actorOf, hasScope } from '../access/identify.ts'
import type { Throttle } from '../access/throttle.ts'
import { expectAsked, noteAnswer } from '../answers.ts'
import { refusal } from '../http/problem.ts'
import type { Agents, Inside } from '../inside.ts'
import { misses } from './problems.ts'
import { FACT_SCOPES } from './scopes.ts'

/** Who stands at a door with this key. */
export function actorAt(key: Key, door: Door): Actor {
  return { ...actorOf(key), door }
}

interface Admitting {
  inside: Inside
  throttle: Throttle
  agents: Agents
  key: Key
  door: Door
  own: OwnHistory
}

/** Signs what a client said and stores it; whoever works on the session is woken. */
export async function admitFrame(
  { inside, throttle, agents, key, door, own }: Admitting,
  frame: Extract<ClientFrame, { type: 'admit' }>,
): Promise<{ record: Recorded } | { problem: Problem }> {
  const command = readCommand({ type: 'admit', session: frame.session, fact: frame.fact }, actorAt(key, door))
  if ('problem' in command) return { problem: refusal('rejected', command.problem).problem }
  const { session, fact } = command
  const scope = FACT_SCOPES[fact.type]
  if (!hasScope(key, scope)) return { problem: misses(scope) }
  if (fact.type === 'message-add' || fact.type === 'input-admit') {
    await throttle.message(key.person.id)
    // Long content belongs to the session that it is said in: there must be one.
    if (fact.parts.length > 0) await expectSession(own, session)
    fact.parts = await spillParts(fact.parts, session, own.blobs)
  }
  const isAnswer = fact.type === 'approval-answer' || fact.type === 'question-answer'
  const answering = isAnswer ? { owner: key.person.id, session, fact } : undefined
  if (answering) await expectAsked(inside, answering)
  const record = await own.log.admit(session, fact)
  agents.onAdmitted(key.person.id, session, record)
  if (answering) await noteAnswer(inside, { ...answering, stands: record })
  return { record }
}

async function expectSession({ log }: OwnHistory, id: string): Promise<void> {
  for await (const _ of log.read(id, LAST)) return
}

// Behind every fact that there can be: only whether there is a session is found out.
const LAST = 2 ** 31 - 1
