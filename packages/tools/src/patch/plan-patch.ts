import { isBlob } from './blob.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { usesIndent } from './indent-style.ts'
import { createBudget, TooMuchWork } from './line-index.ts'
import type { FilePatch, PatchDiagnostic, PatchPlan, PatchRefusal } from './patch.ts'
import { type PatchSource, type Planning, planFile } from './plan-file.ts'
import { readPatch } from './read-patch.ts'
import { Refused } from './refuse.ts'
import { MOST_DIAGNOSTICS, notAsIndexed } from './trouble.ts'

/**
 * Understands what a model wrote as a patch and works out what it makes of the files, all of them or none. It changes
 * nothing and never chooses between two places: what is not certain is refused, with the cause and what to do.
 */
export async function planPatch(text: string, source: PatchSource): Promise<PatchPlan | PatchRefusal> {
  try {
    const patches = readPatch(text, source)
    const evidence = createEvidence()
    const planning: Planning = {
      source,
      budget: createBudget(),
      evidence,
      keepsIndentation: source.keepsIndentation ?? false,
    }
    const planned = await planAll(patches, planning)
    const isUnclear = !planned.ok && planned.diagnostics.some(({ code }) => code === 'indentation-unclear')
    // A patch that has other lines as the file has them has these so on purpose.
    const isMeant = isUnclear && evidence.isFaithful && evidence.drifts.size === 0
    return isMeant ? await planAll(patches, { ...planning, keepsIndentation: true }) : planned
  } catch (error) {
    if (error instanceof Refused) return refusal(error.diagnostics)
    if (error instanceof TooMuchWork) return refusal([TOO_LARGE])
    throw error
  }
}

async function planAll(patches: readonly FilePatch[], planning: Planning): Promise<PatchPlan | PatchRefusal> {
  const plan: PatchPlan = { ok: true, changes: [], alreadyApplied: [] }
  const diagnostics: PatchDiagnostic[] = []
  const doubts: PatchDiagnostic[] = []
  for (const patch of patches) {
    try {
      const { change, alreadyApplied, doubts: own = [] } = await planFile(patch, planning)
      if (change) plan.changes.push(change)
      for (const doubt of own) doubts.push(doubt)
      for (const applied of alreadyApplied) plan.alreadyApplied.push(applied)
    } catch (error) {
      // One file that cannot be changed does not keep the others from being looked at: all causes are told at once.
      if (!(error instanceof Refused)) throw error
      diagnostics.push(...error.diagnostics)
    }
  }
  diagnostics.push(...checkCreated(patches, plan, planning))
  diagnostics.push(...checkSigns(plan, planning.evidence))
  if (plan.changes.length > 0) diagnostics.push(...doubts)
  else if (diagnostics.length === 0) diagnostics.push(alreadyThere(plan))
  return diagnostics.length > 0 ? refusal(diagnostics) : plan
}

function refusal(diagnostics: readonly PatchDiagnostic[]): PatchRefusal {
  return { ok: false, diagnostics: diagnostics.slice(0, MOST_DIAGNOSTICS) }
}

// Where a patch indents everything unlike the files, a new file in it is not meant to be indented so either. And where it
// is git's own, a new file is what it is called.
function checkCreated(
  patches: readonly FilePatch[],
  { changes }: PatchPlan,
  { evidence: { drifts, isIndexed }, keepsIndentation }: Planning,
): PatchDiagnostic[] {
  return changes.flatMap((change): PatchDiagnostic[] => {
    if (change.kind !== 'create') return []
    const blob = patches.flatMap((patch) =>
      patch.kind === 'create' && patch.path === change.path ? patch.blobs?.new : [],
    )[0]
    if (blob !== undefined && isBlob(change.after, blob)) return []
    if (blob !== undefined && isIndexed) return [notAsIndexed(change.path, blob)]
    if (keepsIndentation) return []
    const lines = change.after.split('\n')
    const drift = [...drifts].find((kind) => usesIndent(kind, lines))
    if (!drift) return []
    const message = `${change.path} is indented with ${drift}, as no other file of this patch is.`
    const hint = 'Write all lines of the patch with the indentation of the files.'
    return [{ code: 'indentation-unclear', message, hint, details: { file: change.path } }]
  })
}

// Where a patch has curly quotes for plain ones, those that it adds elsewhere are not meant either, unless the file has some.
function checkSigns({ changes }: PatchPlan, { signs }: Evidence): PatchDiagnostic[] {
  return changes.flatMap((change): PatchDiagnostic[] => {
    if (change.kind === 'delete') return []
    const before = change.kind === 'create' ? '' : change.before
    const sign = [...signs].find((one) => change.after.includes(one) && !before.includes(one))
    if (sign === undefined) return []
    const message = `The patch adds ${JSON.stringify(sign)} to ${change.path}, and has it elsewhere where a file has a plain sign.`
    const hint = 'Write quotes, dashes and blanks in all lines of the patch as the files have them.'
    return [{ code: 'punctuation-unclear', message, hint, details: { file: change.path } }]
  })
}

const TOO_LARGE: PatchDiagnostic = {
  code: 'too-large',
  message: 'This patch would take too long to place: its lines repeat too often in the files.',
  hint: 'Send it in smaller parts, with context that is not repeated.',
  details: {},
}

function alreadyThere({ alreadyApplied }: PatchPlan): PatchDiagnostic {
  const files = [...new Set(alreadyApplied.map(({ file }) => file))].join(', ')
  const message = `Everything in this patch is there already: ${files}.`
  return { code: 'already-applied', message, hint: 'Nothing has to be done; go on.', details: {} }
}
