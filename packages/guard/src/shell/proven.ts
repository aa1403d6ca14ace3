import type { Access } from '@maru/protocol'

/** What is known of a command for sure. */
export type Proven = Extract<Access, { kind: 'run' }>['proven']

const GRAVITY: Record<Proven, number> = {
  'read-only': 0,
  check: 1,
  effects: 2,
  unknown: 3,
  irreversible: 4,
  hostile: 5,
  catastrophe: 6,
}

export function isGraver(one: Proven, other: Proven): boolean {
  return GRAVITY[one] > GRAVITY[other]
}
