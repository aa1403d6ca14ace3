import { applyEdits } from './apply-edits.ts'
import { type Blobs, isBlob } from './blob.ts'
import { learnDrift } from './drift.ts'
import type { Evidence } from './evidence.ts'
import { changesSomething } from './hunk-lines.ts'
import { type Budget, createLineIndex } from './line-index.ts'
import { endOf } from './match.ts'
import type { Hunk, LandedHunk, PatchDiagnostic } from './patch.ts'
import { placeHunks } from './place-hunks.ts'
import { type Tried, waysToPlace } from './prove-by-index.ts'
import { newlineAfter } from './reading.ts'
import { type PlacedHunk, saysTheSame, settleHunk } from './settle-hunk.ts'
import { showLanded } from './show-landed.ts'
import { joinText, splitText, type TextLines } from './text-lines.ts'
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
  readonly evidence: Evidence
  readonly keepsIndentation: boolean
  readonly blobs?: Blobs
}

/** Finds the place of each hunk and makes the new text, or says of each hunk why not. */
export function planUpdate(
  file: string,
  before: string,
  { hunks, budget, evidence, keepsIndentation, blobs }: UpdateOptions,
): UpdatedFile {
  const text = splitText(before)
  const index = createLineIndex(text.lines, budget)
  const describe: Describe = (troubles) =>
    troubles.slice(0, MOST_DIAGNOSTICS).map(({ hunk, trouble }) => describeTrouble(trouble, { file, hunk, index }))
  const refused = (troubles: Troubles): UpdatedFile => ({ kind: 'refused', diagnostics: describe(troubles) })
  const empty = hunks.filter((hunk) => !changesSomething(hunk))
  if (empty.length > 0)
    return refused(
      empty.map((hunk) => ({ hunk, trouble: { code: hunk.mayBeCut ? 'truncated' : 'empty-hunk' } as const })),
    )
  const seen = placeHunks(hunks, index)
  const matches = seen.flatMap(({ sighting }) => (sighting.kind === 'placed' ? [sighting.match] : []))
  const options = { drift: learnDrift(matches, { index, evidence }), keepsIndentation }
  const tried = seen.map((one) => ({ hunk: one.hunk, result: settleHunk(one, index, options) }))
  if (seen.every(({ sighting }) => sighting.kind === 'applied'))
    return { kind: 'applied', doubts: describe(troublesOf(tried)) }
  const updated = updateByWords(tried, { before, text, describe })
  if (!blobs || updated.kind === 'applied') return updated
  // Where the file is another than the one that the index line was written for, that line only can prove.
  const isIndexed = isBlob(before, blobs.old)
  if (isIndexed) evidence.isIndexed = true
  if (updated.kind === 'refused')
    return updateByIndex(waysToPlace(tried, index, options), { tried, text, blobs }) ?? updated
  const isOtherwise = isIndexed && !isBlob(updated.after, blobs.new)
  const [hunk] = hunks
  return isOtherwise && hunk ? refused([{ hunk, trouble: { code: 'not-as-indexed', blob: blobs.new } }]) : updated
}

type Troubles = readonly { hunk: Hunk; trouble: Trouble }[]
type Describe = (troubles: Troubles) => PatchDiagnostic[]

function troublesOf(tried: readonly Tried[]): Troubles {
  return tried.flatMap(({ hunk, result }) => ('code' in result ? [{ hunk, trouble: result }] : []))
}

function placedOf(tried: readonly Tried[]): PlacedHunk[] {
  return tried.flatMap(({ result }) => ('match' in result ? [result] : []))
}

function updateByWords(
  tried: readonly Tried[],
  { before, text, describe }: { before: string; text: TextLines; describe: Describe },
): UpdatedFile {
  const refused = (troubles: Troubles): UpdatedFile => ({ kind: 'refused', diagnostics: describe(troubles) })
  const troubles = troublesOf(tried)
  const placed = placedOf(tried)
  if (troubles.length > 0) return refused(troubles)
  if (placed.length === 0) return { kind: 'applied', doubts: [] }
  const made = makeText(placed, text)
  if (made.kind === 'clash')
    return refused([{ hunk: made.one.hunk, trouble: { code: 'overlap', other: made.other.hunk.number } }])
  const [first] = made.placed
  if (made.after !== before || !first) return changed(made, tried)
  return saysTheSame(first.hunk) && newlineAfter(first.match.reading) === undefined
    ? refused([{ hunk: first.hunk, trouble: { code: 'no-change' } }])
    : { kind: 'applied', doubts: [] }
}

/** The one of these ways that makes what the index line names, which proves it. */
function updateByIndex(
  ways: readonly (readonly PlacedHunk[])[],
  { tried, text, blobs }: { tried: readonly Tried[]; text: TextLines; blobs: Blobs },
): UpdatedFile | undefined {
  const settled = placedOf(tried)
  for (const way of ways) {
    const made = makeText([...settled, ...way], text)
    if (made.kind === 'made' && isBlob(made.after, blobs.new)) return changed(made, tried)
  }
  return undefined
}

function changed({ after, placed, made }: Extract<Made, { kind: 'made' }>, tried: readonly Tried[]): UpdatedFile {
  const applied = tried.flatMap(({ hunk, result }) => ('isApplied' in result ? [hunk.number] : []))
  return { kind: 'changed', after, landed: showLanded(placed, made), applied }
}

type Made =
  | {
      kind: 'made'
      after: string
      placed: readonly PlacedHunk[]
      made: ReturnType<typeof applyEdits>
    }
  | { kind: 'clash'; one: PlacedHunk; other: PlacedHunk }

function makeText(hunks: readonly PlacedHunk[], text: TextLines): Made {
  const placed = hunks.toSorted((a, b) => startOf(a) - startOf(b))
  const clash = placed.findIndex((one, at) => overlaps(placed[at - 1], one))
  const [other, one] = [placed[clash - 1], placed[clash]]
  if (one && other) return { kind: 'clash', one, other }
  const edits = placed.flatMap(({ edits }) => edits)
  const made = applyEdits(text, edits, { endsWithNewline: finalNewline(placed, text.lines.length) })
  return { kind: 'made', after: joinText(made.text), placed, made }
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
