import { corpus } from '@maru/testkit'
import { describe, expect, test } from 'vitest'
import { type Judgement, judgeOutcome, readPatchCorpus } from '../../../../bench/patches/corpus.ts'
import { planPatch } from '../../src/patch/plan-patch.ts'
import { codes } from './trees.ts'

// Every third patch: each commit and each way of damage is still there many times. `npm run bench -- patches` takes all.
const rows = readPatchCorpus()?.filter((_, index) => index % 3 === 0)

const NO_CORPORA = '$MARU_CORPORA does not name the test corpora'

describe('real patches that were damaged as models damage them', () => {
  const counts: Record<Judgement, number> = { correct: 0, wrong: 0, rejected: 0, 'half-applied': 0 }
  const wrong: string[] = []
  const causes = new Map<string, Set<string>>()

  test('are applied as they were meant or refused, and never anything else', async (context) => {
    if (!rows) context.skip(NO_CORPORA)
    for (const row of rows ?? []) {
      const plan = await planPatch(row.patch, { read: async (path) => row.before.get(path) })
      const tree = new Map(row.before)
      for (const change of plan.ok ? plan.changes : []) {
        if (change.kind === 'delete' || change.kind === 'rename') tree.delete(change.path)
        if (change.kind !== 'delete') tree.set(change.kind === 'rename' ? change.to : change.path, change.after)
      }
      const judgement = judgeOutcome(row, { ok: plan.ok, tree })
      counts[judgement]++
      if (judgement === 'wrong') wrong.push(row.id)
      if (plan.ok) continue
      const known = causes.get(row.kind) ?? new Set()
      causes.set(row.kind, known.add(plan.diagnostics[0]?.code ?? 'none'))
    }
    expect(wrong).toEqual([])
    expect(counts['half-applied']).toBe(0)
    expect(counts.correct / (rows?.length ?? 1)).toBeGreaterThan(0.97)
  })

  test('are refused for the reason why they are damaged', (context) => {
    if (!rows) context.skip(NO_CORPORA)
    expect(causes.get('truncated_in_last_hunk')).toEqual(new Set(['truncated']))
    expect(causes.get('ambiguous_second_no_numbers')).toEqual(new Set(['ambiguous']))
    expect(causes.get('ambiguous_second_near_numbers')).toEqual(new Set(['ambiguous']))
    expect(causes.get('already_applied')).toEqual(new Set(['already-applied']))
  })
})

interface Attack {
  id: string
  class: string
  patch: string
  expect: 'allow' | 'deny'
}
const attacks = corpus<Attack>('paths/patch_attacks.jsonl')

// What a path leads to, and which names are protected, is the workspace's and the policy's to judge.
const BY_WORDS = ['traversal', 'format', 'codex', 'ok']
const ELSEWHERE = ['x53']

describe('patches that attack the tree', () => {
  const files = { 'src/index.ts': 'export const a = 1;\n', l_file_out: 'OUTSIDE-SECRET\n' }
  const own = (attacks ?? []).filter(({ class: kind, id }) => BY_WORDS.includes(kind) && !ELSEWHERE.includes(id))

  test.each(own.map((attack) => [attack.id, attack] as const))('%s', async (_, { patch, expect: verdict }) => {
    const sent = patch.replaceAll('{T}', '/tmp/attack')
    if (verdict === 'deny') expect(await codes(sent, files)).toHaveLength(1)
    else
      expect((await planPatch(sent, { read: async (path) => (files as Record<string, string>)[path] })).ok).toBe(true)
  })

  test('links and submodules are not made by patches', async (context) => {
    if (!attacks) context.skip(NO_CORPORA)
    const made = (attacks ?? []).filter(({ patch }) => /^new file mode 1[26]0000$/m.test(patch))
    expect(made.length).toBeGreaterThan(2)
    for (const { patch } of made) expect(await codes(patch, files)).toContain('unsupported')
  })
})
