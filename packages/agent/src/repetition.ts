/** Notices a model that goes in circles, by what it called and what came of it, never by its words. */
export interface Repetition {
  /** What to tell the model about a result, if it has been here before. Something new that had an effect is progress. */
  remark(call: string, result: string, hadEffect: boolean): string | undefined
  /** Whether this very call has failed so often that it is not run again. */
  isStruckOut(call: string): boolean
  fail(call: string): void
  /** The turn is over: its calls count as one step of a possible circle. */
  endTurn(): void
  isEndless(): boolean
}

const STRIKES = 3
const REMARK_AT = 3
const STOP_AT = 5
const LONGEST_CIRCLE = 4

const REMARK = 'You have made this same call with this same result before. Do something else, or ask the user.'

export function createRepetition(hash: (text: string) => string): Repetition {
  const seen = new Map<string, number>()
  const strikes = new Map<string, number>()
  const turns: string[] = []
  let turn: string[] = []
  return {
    remark(call, result, hadEffect) {
      const digest = hash(JSON.stringify([call, result]))
      turn.push(digest)
      // The same test after another edit is the work itself, not a repetition.
      if (hadEffect && !seen.has(digest)) {
        seen.clear()
        strikes.clear()
      }
      const count = (seen.get(digest) ?? 0) + 1
      seen.set(digest, count)
      return count >= REMARK_AT ? REMARK : undefined
    },
    isStruckOut: (call) => (strikes.get(hash(call)) ?? 0) >= STRIKES,
    fail(call) {
      strikes.set(hash(call), (strikes.get(hash(call)) ?? 0) + 1)
    },
    endTurn() {
      // Calls side by side finish in any order.
      if (turn.length > 0) turns.push(hash(turn.toSorted().join()))
      turn = []
      turns.splice(0, turns.length - LONGEST_CIRCLE * STOP_AT)
    },
    isEndless() {
      for (let length = 1; length <= LONGEST_CIRCLE; length++) {
        const last = turns.slice(-length * STOP_AT)
        if (last.length === length * STOP_AT && last.every((digest, at) => digest === last[at % length])) return true
      }
      return false
    },
  }
}
