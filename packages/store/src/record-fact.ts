import { FACT_VERSION, type Fact, factProblem, LogError, MAX_RECORD_BYTES, type Recorded } from '@maru/protocol'
import { type Mask, maskFact } from './mask.ts'

/** A fact as it will stand in the log, masked, checked and printed; `rejected` if it cannot stand there. */
export function recordFact(
  fact: Fact,
  { seq, at, mask }: { seq: number; at: number; mask: Mask | undefined },
): { record: Recorded; line: string } {
  expectStorable(fact)
  const masked = mask ? maskFact(fact, mask) : fact
  // A mask that hits a name of the protocol itself would make a record that nobody can read again.
  if (mask) expectStorable(masked)
  const envelope = { seq, at, v: FACT_VERSION } as const
  // Last, so that a fact copied from another log cannot bring its own number; first, so that it stands first in the line.
  const record: Recorded = Object.assign({ ...envelope }, masked, envelope)
  const line = JSON.stringify(record)
  checkSize(line, fact)
  return { record, line }
}

function expectStorable(fact: Fact): void {
  const problem = factProblem(fact)
  if (problem !== undefined) throw new LogError('rejected', `this fact cannot be stored: ${problem}`)
}

function checkSize(line: string, fact: Fact): void {
  // A UTF-16 unit is at most three bytes, so most lines need no counting.
  if (line.length * 3 <= MAX_RECORD_BYTES) return
  const bytes = new TextEncoder().encode(line).length
  if (bytes <= MAX_RECORD_BYTES) return
  const message = `"${fact.type}" of ${bytes} bytes is over ${MAX_RECORD_BYTES}: put its content into blobs`
  throw new LogError('rejected', message)
}
