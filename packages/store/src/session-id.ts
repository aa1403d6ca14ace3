import { uniqueHex } from './unique.ts'

/** A new session id: a version 7 UUID, so that ids sort by the time they were made. */
export function newSessionId(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  const chance = uniqueHex(19)
  const variant = (0x8 | (Number.parseInt(chance.charAt(0), 16) & 0x3)).toString(16)
  const groups = [`7${chance.slice(1, 4)}`, variant + chance.slice(4, 7), chance.slice(7)]
  return [time.slice(0, 8), time.slice(8), ...groups].join('-')
}
