import { type AdaptOptions, adaptAdded, indentPairs } from './adapt-added.ts'
import { applyEdits } from './apply-edits.ts'
import { type Edit, editsOf } from './edit.ts'
import { agreesWithHint, lacksLineAtEdge } from './hint.ts'
import { changesSomething } from './hunk-lines.ts'
import { type IndentEvidence, isIndented } from './indent-style.ts'
import type { IndentPair } from './indentation.ts'
import { type Budget, createLineIndex, type LineIndex } from './line-index.ts'
import { endOf, type Match, rowOf, tolerancesOf } from './match.ts'
import type { Hunk, LandedHunk, PatchDiagnostic, Tolerance } from './patch.ts'
import { placeHunks, type Sighted } from './place-hunks.ts'
import { countsAgree, newlineAfter } from './reading.ts'
import { showLanded } from './show-landed.ts'
import { joinText, splitText } from './text-lines.ts'
import { describeTrouble, MOST_DIAGNOSTICS, type Trouble } from './trouble.ts'
import { seemsCut } from './truncation.ts'

/** What the hunks of a patch make of one file. */
export type UpdatedFile =
  | { kind: 'changed'; after: string; landed: LandedHunk[]; applied: number[] }
  /** `doubts`: what only seems to be there; enough to do nothing, not enough to do the rest. */
  | { kind: 'applied'; doubts: PatchDiagnostic[] }
  | { kind: 'refused'; diagnostics: PatchDiagnostic[] }

export interface UpdateOptions {
  readonly hunks: readonly Hunk[]
  readonly budget: Budget
  /** What these hunks show is added to it. */
  readonly evidence: IndentEvidence
  readonly keepsIndentation: boolean
}

/** A hunk that knows its place and what it does there. */
export interface PlacedHunk {
  readonly hunk: Hunk
  readonly match: Match
  readonly edits: readonly Edit[]
  readonly tolerances: Tolerance[]
}

/** Finds the place of each hunk and makes the new text, or says of each hunk why not. */
export function planUpdate(
  file: string,
  before: string,
  { hunks, budget, evidence, keepsIndentation }: UpdateOptions,
): UpdatedFile {
  const text = splitText(before)
  const index = createLineIndex(text.lines, budget)
  const describe = (troubles: readonly { hunk: Hunk; trouble: Trouble }[]): PatchDiagnostic[] =>
    troubles.slice(0, MOST_DIAGNOSTICS).map(({ hunk, trouble }) => describeTrouble(trouble, { file, hunk, index }))
  const refused = (troubles: readonly { hunk: Hunk; trouble: Trouble }[]): UpdatedFile => ({
    kind: 'refused',
    diagnostics: describe(troubles),
  })
  const empty = hunks.filter((hunk) => !changesSomething(hunk))
  if (empty.length > 0)
    return refused(
      empty.map((hunk) => ({ hunk, trouble: { code: hunk.mayBeCut ? 'truncated' : 'empty-hunk' } as const })),
    )
  const seen = placeHunks(hunks, index)
  const learned = learnIndentation(seen, { index, evidence })
  const results = seen.map((one) => ({ hunk: one.hunk, result: settle(one, index, { learned, keepsIndentation }) }))
  const troubles = results.flatMap(({ hunk, result }) => ('code' in result ? [{ hunk, trouble: result }] : []))
  const isApplied = seen.every(({ sighting }) => sighting.kind === 'applied')
  if (isApplied || results.every(({ result }) => 'isApplied' in result))
    return { kind: 'applied', doubts: describe(troubles) }
  if (troubles.length > 0) return refused(troubles)
  const placed = results
    .flatMap(({ result }) => ('match' in result ? [result] : []))
    .sort((a, b) => startOf(a) - startOf(b))
  const clash = placed.findIndex((one, at) => overlaps(placed[at - 1], one))
  const [other, one] = [placed[clash - 1], placed[clash]]
  if (one && other) return refused([{ hunk: one.hunk, trouble: { code: 'overlap', other: other.hunk.number } }])
  const made = applyEdits(
    text,
    placed.flatMap(({ edits }) => edits),
    { endsWithNewline: finalNewline(placed, text.lines.length) },
  )
  const after = joinText(made.text)
  const [first] = placed
  if (after === before && first)
    return saysTheSame(first.hunk) && newlineAfter(first.match.reading) === undefined
      ? refused([{ hunk: first.hunk, trouble: { code: 'no-change' } }])
      : { kind: 'applied', doubts: [] }
  const applied = results.flatMap(({ hunk, result }) => ('isApplied' in result ? [hunk.number] : []))
  return { kind: 'changed', after, landed: showLanded(placed, made), applied }
}

function learnIndentation(
  seen: readonly Sighted[],
  { index, evidence }: { index: LineIndex; evidence: IndentEvidence },
): IndentPair[] {
  const matches = seen.flatMap(({ sighting }) => (sighting.kind === 'placed' ? [sighting.match] : []))
  const [drifted, kept] = [true, false].map((isDrifted) =>
    matches.filter(({ level }) => (level === 'indentation') === isDrifted),
  )
  const pairs = drifted?.flatMap((match) => indentPairs(match, index)) ?? []
  if (kept?.some(({ reading }) => isIndented(reading.old))) evidence.isFaithful = true
  if (pairs.some(({ patch, file }) => patch.includes('\t') && !file.includes('\t'))) evidence.drifts.add('tabs')
  if (pairs.some(({ patch, file }) => file.includes('\t') && !patch.includes('\t'))) evidence.drifts.add('blanks')
  return pairs
}

// What is known of a hunk when all have been looked for.
function settle(
  { hunk, sighting, offset, hasEllipsis }: Sighted,
  index: LineIndex,
  options: AdaptOptions,
): PlacedHunk | Trouble | { isApplied: true } {
  switch (sighting.kind) {
    case 'applied':
      return sighting.isSure ? { isApplied: true } : { code: 'already-applied', row: sighting.row }
    case 'ambiguous': {
      const { rows, readings, cause } = sighting
      const [reading] = readings
      // Wherever it would go, its end is missing.
      if (reading && rows.every((start) => seemsCut(hunk, { reading, level: 'exact', start }, index.lines.length)))
        return { code: 'truncated' }
      return { code: 'ambiguous', rows, cause }
    }
    case 'no-context':
      return { code: 'no-context' }
    case 'not-found':
      return { code: 'not-found', readings: sighting.readings }
    case 'placed':
      break
    default:
      return sighting satisfies never
  }
  const { match } = sighting
  if (seemsCut(hunk, match, index.lines.length)) return { code: 'truncated' }
  const adapted = adaptAdded(match, index, options)
  if (adapted.kind === 'unclear') return { code: adapted.code, row: match.start, isForeign: adapted.isForeign ?? false }
  const edits = lacksLineAtEdge(hunk, match, { index, offset }) ? undefined : editsOf(match, adapted.lines)
  if (!edits) return { code: 'ambiguous', rows: [rowOf(match, match.gap ?? 0) - 1], cause: 'line-left-out' }
  if (newlineAfter(match.reading) === undefined && edits.every((edit) => isThere(edit, index.lines)))
    return saysTheSame(hunk) ? { code: 'no-change' } : { isApplied: true }
  const tolerances = tolerancesOf(match)
  if (hasEllipsis) tolerances.push('ellipsis')
  if (agreesWithHint(hunk, match, offset) === false) tolerances.push('line-numbers')
  if (hunk.header?.oldCount !== undefined && !countsAgree(hunk, match.reading)) tolerances.push('line-counts')
  return { hunk, match, edits, tolerances }
}

function isThere({ at, remove, insert }: Edit, lines: readonly string[]): boolean {
  return insert.length === remove && insert.every((line, index) => line === lines[at + index])
}

// What it takes away it also adds, letter by letter.
function saysTheSame({ lines }: Hunk): boolean {
  const side = (wanted: string) => lines.filter(({ sign }) => sign === wanted).map(({ text }) => text)
  return side('-').join('\n') === side('+').join('\n')
}

function startOf({ edits }: PlacedHunk): number {
  return edits[0]?.at ?? 0
}

// Two insertions at one point have no order of their own.
function overlaps(one: PlacedHunk | undefined, next: PlacedHunk): boolean {
  const last = one?.edits.at(-1)
  const first = next.edits[0]
  if (!last || !first) return false
  const end = last.at + last.remove
  return first.at < end || (first.at === end && (first.remove === 0 || last.remove === 0))
}

// Only a hunk at the end of the file can say so, and only the last of all.
function finalNewline(placed: readonly PlacedHunk[], lineCount: number): boolean | undefined {
  const last = placed.at(-1)
  return last && endOf(last.match) === lineCount ? newlineAfter(last.match.reading) : undefined
}
