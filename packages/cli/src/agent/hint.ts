/** A word on what a key did or would do, in the place of the status line until it is read. */
export interface Hint {
  readonly text: string | undefined
  tell(text: string): void
  drop(): void
}

/** How long a person has to read a hint, and to press again what it says to press once more. */
export const HINT_MS = 2000

export function createHint(now: () => number, onOver: () => void): Hint {
  let told: { text: string; until: number } | undefined
  return {
    get text() {
      return told && told.until > now() ? told.text : undefined
    },
    tell(text) {
      told = { text, until: now() + HINT_MS }
      setTimeout(onOver, HINT_MS + 10).unref()
    },
    drop() {
      told = undefined
    },
  }
}
