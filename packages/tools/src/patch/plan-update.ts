import { applyEdits } from './apply-edits.ts'
import { learnDrift } from './drift.ts'
import { changesSomething } from './hunk-lines.ts'
import type { IndentEvidence } from './indent-style.ts'
import { type Budget, createLineIndex } from './line-index.ts'
import { endOf } from './match.ts'
import type { Hunk, LandedHunk, PatchDiagnostic } from './patch.ts'
import { placeHunks } from './place-hunks.ts'
import { newlineAfter } from './reading.ts'
import { type PlacedHunk, saysTheSame, settleHunk } from './settle-hunk.ts'
import { showLanded } from './show-landed.ts'
import { joinText, splitText } from './text-lines.ts'
import { describeTrouble, MOST_DIAGNOSTICS, type Trouble } from './trouble.ts'

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
  const matches = seen.flatMap(({ sighting }) => (sighting.kind === 'placed' ? [sighting.match] : []))
  const drift = learnDrift(matches, { index, evidence })
  const results = seen.map((one) => ({ hunk: one.hunk, result: settleHunk(one, index, { drift, keepsIndentation }) }))
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
