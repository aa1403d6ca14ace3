import type { Actor, DoorFact, Json, RunnerFact, SessionStart } from '@maru/protocol'

/** Short ways to say facts in tests. */
export const person: Actor = { kind: 'person', id: 'owner', door: 'terminal' }

export const start: SessionStart = { agent: { kind: 'maru' }, door: 'terminal', cwd: '/repo' }

export function input(key: string, text = `input ${key}`): DoorFact {
  return { type: 'input-admit', key, by: person, delivery: 'queue', parts: [{ type: 'text', text }] }
}

export function approve(key: string, callId: string, option = 'allow'): DoorFact {
  return { type: 'approval-answer', key, by: person, callId, actionHash: `hash of ${callId}`, option }
}

export function toolStart(callId: string, args: Json = {}): RunnerFact {
  return { type: 'tool-start', callId, tool: 'ReadFile', args }
}

export function toolEnd(callId: string, text = ''): RunnerFact {
  return { type: 'tool-end', callId, outcome: 'ok', result: { ms: 1 }, parts: [{ type: 'text', text }] }
}

export function turnEnd(turnId: string, text: string): RunnerFact {
  return { type: 'turn-end', turnId, parts: [{ type: 'text', text }], stop: 'end' }
}
