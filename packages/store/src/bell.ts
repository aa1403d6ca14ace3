/** Wakes those who wait for a name, without losing a ring that comes between looking and waiting. */
export class Bell {
  readonly #rings = new Map<string, number>()
  readonly #waiting = new Map<string, Set<() => void>>()

  ring(name: string): void {
    this.#rings.set(name, this.count(name) + 1)
    const waiting = this.#waiting.get(name)
    this.#waiting.delete(name)
    for (const wake of waiting ?? []) wake()
  }

  count(name: string): number {
    return this.#rings.get(name) ?? 0
  }

  /** Resolves at the first ring after `seen`, or when the signal aborts. */
  async after(name: string, seen: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.count(name) !== seen) return
    await new Promise<void>((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, waiting)
      const wake = () => {
        signal.removeEventListener('abort', wake)
        waiting.delete(wake)
        resolve()
      }
      waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}
