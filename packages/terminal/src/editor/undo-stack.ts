import { comparePositions, type Position } from './text-buffer.ts'

/** One change of a text: what stood at `from` and what took its place, and where the cursor was before. */
export interface Change {
  readonly from: Position
  readonly removed: string
  readonly inserted: string
  /** Where `inserted` ends. */
  readonly end: Position
  readonly cursor: Position
  /** Changes of one kind that follow each other closely are undone together. */
  readonly kind: 'type' | 'delete' | 'other'
}

export interface UndoStack {
  push(change: Change): void
  pop(): Change | undefined
  /** The next change is not joined to the last one. */
  seal(): void
  clear(): void
}

const MOST = 1000

/** Remembers changes, not texts: a change in a long text costs no more than in a short one. */
export function createUndoStack(): UndoStack {
  let changes: Change[] = []
  let isSealed = true
  return {
    push(change) {
      const last = changes.at(-1)
      const joined = isSealed || last === undefined ? undefined : join(last, change)
      if (joined === undefined) changes.push(change)
      else changes[changes.length - 1] = joined
      if (changes.length > MOST) changes.shift()
      isSealed = change.kind === 'other'
    },
    pop() {
      isSealed = true
      return changes.pop()
    },
    seal() {
      isSealed = true
    },
    clear() {
      changes = []
      isSealed = true
    },
  }
}

function join(last: Change, next: Change): Change | undefined {
  if (last.kind !== next.kind) return undefined
  if (next.kind === 'type') {
    const isNewWord = /\s$/.test(last.inserted) && !/^\s/.test(next.inserted)
    if (isNewWord || next.removed !== '' || comparePositions(last.end, next.from) !== 0) return undefined
    return { ...last, inserted: last.inserted + next.inserted, end: next.end }
  }
  // Backspace eats what stands before, Delete what comes after.
  if (comparePositions(next.from, last.from) === 0) return { ...last, removed: last.removed + next.removed }
  const isBefore = next.removed !== '' && !next.removed.includes('\n') && next.from.line === last.from.line
  if (!isBefore || next.from.offset + next.removed.length !== last.from.offset) return undefined
  return { ...last, from: next.from, end: next.end, removed: next.removed + last.removed }
}
