import type { DoorFact, SessionStart } from '@maru/protocol'

/** Short ways to say facts in these tests. */
export const start: SessionStart = { agent: { kind: 'maru' }, door: 'terminal', cwd: '/repo' }

const person = { kind: 'person', id: 'me', door: 'terminal' } as const

export function input(key: string, text: string): DoorFact {
  return { type: 'input-admit', key, by: person, delivery: 'queue', parts: [{ type: 'text', text }] }
}

export function title(words: string): DoorFact {
  return { type: 'title-set', key: 'title', by: person, title: words }
}
