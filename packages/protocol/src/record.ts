import { FACTS, type Fact, type FactType, factSchemas } from './fact.ts'
import type { Json } from './json.ts'
import * as s from './shape.ts'

/** The version in which facts are written now. */
export const FACT_VERSION = 1

/** What the log adds to a fact: its place, its time, its version. */
export interface Envelope {
  v: typeof FACT_VERSION
  seq: number
  at: number
}

/** A kind this version does not know, as it stands in the log: it may be viewed, not run. */
export interface UnknownFact {
  type: 'unknown'
  kind: string
  body: { [key: string]: Json }
}

/** A fact as it stands in a log. `seq` starts at 1 and is dense. */
export type Recorded = (Fact | UnknownFact) & Envelope
export type RecordedOf<T extends FactType> = Extract<Fact, { type: T }> & Envelope

type Raw = { [key: string]: Json }

/** `UPCASTERS[n]` turns a record of version n into one of version n + 1. Old logs are never rewritten. */
export const UPCASTERS: Record<number, (raw: Raw) => Raw> = {}

const envelope = s.object({ v: s.literal(FACT_VERSION), seq: s.int(1), at: s.number() })

/**
 * Reads one parsed line of a log. Fields that this version does not know are kept as they are; a kind or version that
 * it does not know becomes an `unknown` record; anything else that does not fit is described, never dropped.
 */
export function readRecord(
  value: unknown,
  upcasters: Record<number, (raw: Raw) => Raw> = UPCASTERS,
): { record: Recorded } | { problem: string } {
  if (!hasEnvelope(value)) return { problem: 'not a record: no type and seq' }
  let raw = value
  if (!isKnown(raw.type) || (typeof raw['v'] === 'number' && raw['v'] > FACT_VERSION)) return { record: unknown(raw) }
  while (typeof raw['v'] === 'number' && raw['v'] < FACT_VERSION) {
    const up = upcasters[raw['v']]
    if (!up) return { problem: `no way to read version ${raw['v']} of "${raw.type}"` }
    raw = up(raw) as typeof raw
  }
  const wrong = s.misfit(envelope, raw) ?? s.misfit(factSchemas[raw.type as FactType], raw)
  if (wrong) return { problem: describe(raw.type, wrong) }
  return { record: raw as unknown as Recorded }
}

/** The line that stands for a record in a log and in `--json` output: an unknown kind prints as it was read. */
export function printRecord(record: Recorded): string {
  return JSON.stringify(record.type === 'unknown' ? record.body : record)
}

/** Says why a fact may not be written, or nothing. */
export function factProblem(fact: Fact): string | undefined {
  if (!isKnown(fact.type)) return `unknown kind "${fact.type}"`
  const wrong = s.misfit(factSchemas[fact.type], fact)
  return wrong && describe(fact.type, wrong)
}

/** Whether a recorded fact came from the runner, who must then know of it before appending again. */
export function isByRunner(record: Recorded): boolean {
  return record.type !== 'unknown' && FACTS[record.type].by === 'runner'
}

function hasEnvelope(value: unknown): value is Raw & { type: string; seq: number } {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('seq' in value)) return false
  return typeof value.type === 'string' && Number.isSafeInteger(value.seq) && Number(value.seq) >= 0
}

function unknown(raw: Raw & { type: string; seq: number }): Recorded {
  const at = typeof raw['at'] === 'number' ? raw['at'] : 0
  return { type: 'unknown', kind: raw.type, body: raw, v: FACT_VERSION, seq: raw.seq, at }
}

function isKnown(type: string): boolean {
  return Object.hasOwn(factSchemas, type)
}

function describe(type: string, path: string[]): string {
  return `"${type}" does not fit: ${path.join('.') || 'it is no object'}`
}
