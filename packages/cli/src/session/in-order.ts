import type { Live } from '@maru/protocol'
import type { Door } from './door.ts'

/**
 * Live events come at once, facts by way of the log: the words of a turn are held back until the fact that begins it
 * has been shown, so that nothing seems to be said before what it answers.
 */
export function inOrder(door: Door): Door {
  const begun = new Set<string>()
  const early = new Map<string, Live[]>()
  return {
    ...door,
    live(event) {
      if (event.type !== 'text-delta' || begun.has(event.turnId)) {
        door.live(event)
        return
      }
      const waiting = early.get(event.turnId) ?? []
      early.set(event.turnId, waiting)
      waiting.push(event)
    },
    fact(record) {
      door.fact(record)
      if (record.type !== 'turn-start') return
      begun.add(record.turnId)
      for (const event of early.get(record.turnId) ?? []) door.live(event)
      early.delete(record.turnId)
    },
  }
}
