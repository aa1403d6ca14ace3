import type { Recorded } from '@maru/protocol'

const KEPT = 64

/** The last facts of a session that this process writes: whoever follows it here need not read them back. */
export class Recent {
  /** The seq behind which everything is here. */
  #from: number
  #records: Recorded[] = []

  constructor(from: number) {
    this.#from = from
  }

  add(records: Recorded[]): void {
    this.#records.push(...records)
    const dropped = this.#records.splice(0, this.#records.length - KEPT)
    this.#from += dropped.length
  }

  /** Everything behind a seq; nothing, if that is not all here. */
  after(seq: number): Recorded[] | undefined {
    return seq < this.#from ? undefined : this.#records.slice(seq - this.#from)
  }

  /** A fact was erased: what is here may hold it. */
  forget(): void {
    this.#from += this.#records.length
    this.#records = []
  }
}
