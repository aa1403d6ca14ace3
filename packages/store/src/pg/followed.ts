import type { Recorded } from '@maru/protocol'
import { Recent } from '../recent.ts'

/** The last facts of a session that somebody follows here, as far as this process wrote them without a gap. */
export class Followed {
  users = 0
  #recent: Recent | undefined
  #next = 0

  add(records: Recorded[]): void {
    const first = records[0]?.seq ?? 0
    if (!this.#recent || first !== this.#next) this.#recent = new Recent(first - 1)
    this.#recent.add(records)
    this.#next = first + records.length
  }

  after(seq: number): Recorded[] | undefined {
    return this.#recent?.after(seq)
  }

  forget(): void {
    this.#recent = undefined
  }
}
