import type { Translator } from '@maru/i18n'
import type { Actor, Recorded, RunnerFact, SessionLog } from '@maru/protocol'

export const owner: Actor = { kind: 'person', id: 'you', door: 'terminal' }

/** Writes the session of the tour as an agent would, up to an approval that two doors answer at once. */
export async function writeSession(log: SessionLog, id: string, t: Translator): Promise<Recorded[]> {
  await log.create(id, { agent: { kind: 'maru' }, door: 'terminal' })
  const input = await log.admit(id, {
    type: 'input-admit',
    key: 'first',
    by: owner,
    delivery: 'queue',
    parts: [{ type: 'text', text: t('demo.input') }],
  })
  const lease = await log.lease(id)
  let own = lease.last
  const append = async (...facts: RunnerFact[]) => {
    own = (await log.append(id, { epoch: lease.epoch, expect: own }, facts)).at(-1)?.seq ?? own
  }
  const read = { callId: 'c1', tool: 'ReadFile', args: { path: 'src/sum.ts' } }
  const test = { callId: 'c2', tool: 'RunCommand', args: { command: 'npm test' } }
  await append(
    { type: 'run-start', runId: 'r1', inputs: [input.seq] },
    { type: 'turn-start', turnId: 't1', runId: 'r1' },
  )
  await append({
    type: 'turn-end',
    turnId: 't1',
    stop: 'calls',
    parts: [
      { type: 'text', text: t('demo.reply') },
      { type: 'call', ...read },
      { type: 'call', ...test },
    ],
  })
  await append({ type: 'tool-start', ...read })
  await append({ type: 'tool-end', callId: 'c1', outcome: 'ok', result: { ms: 1 }, parts: [] })
  await append({
    type: 'approval-ask',
    callId: 'c2',
    source: 'ours',
    actionHash: 'npm test',
    reason: 'npm test',
    options: ['allow', 'deny'],
  })
  const answer = (door: 'terminal' | 'web', option: string) =>
    log.admit(id, {
      type: 'approval-answer',
      key: `answer from ${door}`,
      by: { ...owner, door },
      callId: 'c2',
      actionHash: 'npm test',
      option,
    })
  const answers = await Promise.all([answer('terminal', 'allow'), answer('web', 'deny')])
  await append({ type: 'tool-start', ...test })
  await append({ type: 'tool-end', callId: 'c2', outcome: 'ok', result: { ms: 840, exit: 0 }, parts: [] })
  await append({ type: 'turn-start', turnId: 't2', runId: 'r1' })
  await append({ type: 'turn-end', turnId: 't2', stop: 'end', parts: [{ type: 'text', text: t('demo.fixed') }] })
  await append({ type: 'run-end', runId: 'r1', reason: 'done' })
  await lease.release()
  return answers
}
