import { type PatchPlan, type PlannedChange, planPatch } from '@maru/tools'
import { diffArrays } from 'diff'
import { DAMAGES, damage } from '../bench/patches/damage.ts'
import { makeChange } from '../bench/patches/make-change.ts'
import { makeText } from '../bench/patches/make-text.ts'
import { mutate } from '../bench/patches/mutate.ts'
import { createRandom, type Random } from '../bench/patches/random.ts'

/** What a run of the proof saw. */
export interface FuzzPatchReport {
  patches: number
  applied: number
  refused: number
  mutants: number
}

const PATH = 'src/file.txt'

interface Options {
  /** Texts, each with many patches. */
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

/**
 * Makes patches as models write them and breaks them further. Whatever comes: no exception; a patch damaged in a known
 * way gives the right text or a refusal; no other adds or removes a line that it does not name, up to the tolerances
 * that it states; and applied again, it changes nothing more. Throws at the first difference, with the seed.
 */
export async function proveFuzzPatch({ times = 100, seconds, seed = Date.now(), log = () => undefined }: Options) {
  const report: FuzzPatchReport = { patches: 0, applied: 0, refused: 0, mutants: 0 }
  const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
  for (let round = 0; until === undefined ? round < times : Date.now() < until; round++) {
    try {
      await proveOne(createRandom(seed + round), report)
    } catch (error) {
      throw new Error(`seed ${seed + round}: ${(error as Error).message}`, { cause: error })
    }
    if (round % 1_000 === 999) log(`${round + 1} texts from seed ${seed}: ${JSON.stringify(report)}`)
  }
  return report
}

async function proveOne(random: Random, report: FuzzPatchReport): Promise<void> {
  const change = makeChange(PATH, makeText(random), random)
  if (!change || change.hunks.length === 0) return
  for (const kind of Object.keys(DAMAGES)) {
    const damaged = damage(kind, change, random)
    if (!damaged) continue
    const { patch, before, after, accept } = damaged
    const result = await tryPatch(patch, before, report)
    const got = result ? textAfter(result) : undefined
    if (got !== undefined && got !== after) throw failure(`${kind}: another text than it should be`, patch, before)
    if (got !== undefined && !accept.includes('after')) throw failure(`${kind}: should be refused`, patch, before)
    let broken = patch
    for (let times = 1 + random.below(4); times > 0; times--) broken = mutate(broken, random)
    report.mutants++
    await tryPatch(broken, before, report)
  }
}

async function tryPatch(patch: string, before: string, report: FuzzPatchReport): Promise<PatchPlan | undefined> {
  report.patches++
  const plan = await planFor(patch, before)
  if (!plan.ok) {
    report.refused++
    for (const { message, hint } of plan.diagnostics)
      if (message === '' || hint === '') throw failure('a refusal without words', patch, before)
    return undefined
  }
  report.applied++
  for (const change of plan.changes) if (change.kind === 'update') checkNamed(patch, change)
  const after = textAfter(plan)
  // An empty line behind one without a newline is that newline, and only that.
  if (after !== undefined && before.endsWith('\n') === after.endsWith('\n')) {
    const again = await planFor(patch, after)
    if (again.ok && again.changes.some(({ kind }) => kind === 'update')) throw failure('applied twice', patch, before)
  }
  return plan
}

function planFor(patch: string, text: string) {
  return planPatch(patch, { read: async (path) => (path === PATH ? text : undefined), path: PATH })
}

function textAfter({ changes }: PatchPlan): string | undefined {
  const [change] = changes
  return change?.kind === 'update' && changes.length === 1 ? change.after : undefined
}

// Every line that goes or comes has to stand in the patch, in the loosest way that the result admits to.
function checkNamed(patch: string, { before, after, landed }: Extract<PlannedChange, { kind: 'update' }>): void {
  const stated = new Set(landed.flatMap(({ tolerances }) => tolerances))
  const key = (line: string) => {
    const plain = stated.has('punctuation') ? line.replace(/[^\w(){}=,;]/g, '') : line
    if (stated.has('indentation') || stated.has('missing-prefix')) return plain.trim()
    return stated.has('trailing-space') ? plain.trimEnd() : plain
  }
  const written = patch.split('\n').map((line) => line.replace(/\r+$/, ''))
  const named = new Set(written.flatMap((line) => [key(line), key(line.slice(1))]))
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(after)))
    for (const line of added || removed ? value : [])
      if (!named.has(key(line))) throw failure(`${added ? 'adds' : 'removes'} ${JSON.stringify(line)}`, patch, before)
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}

function failure(what: string, patch: string, before: string): Error {
  return new Error(`${what}\n--- patch\n${patch}\n--- file\n${before}`)
}
