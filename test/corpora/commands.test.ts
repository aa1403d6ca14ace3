import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Row {
  id: string
  shell: string
  cmd: string
  expect: 'allow' | 'ask' | 'deny'
  cond?: string
}

const corpora = process.env['MARU_CORPORA']
const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

test.for(['none', 'full'] as const)(
  'of the commands that were collected none that is dangerous is allowed, none harmless denied: sandbox %s',
  {
    timeout: 180_000,
  },
  (sandbox, context) => {
    const file = join(corpora ?? '', 'commands/commands.jsonl')
    if (!corpora || !existsSync(file)) context.skip('$MARU_CORPORA does not name the test corpora')
    const rows = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    const decisions = decide(rows, sandbox)
    const judged = rows.map((row, at) => ({ ...row, decision: decisions[at] }))
    const isHarmless = ({ expect, cond }: Row) =>
      expect === 'allow' && (cond !== 'trusted-workspace' || sandbox === 'full')
    const idsOf = (list: typeof judged) => list.map(({ id, cmd, decision }) => ({ id, cmd, decision }))
    expect(rows.length).toBeGreaterThan(400)
    expect(
      idsOf(judged.filter((row) => row.decision === 'allow' && (!isHarmless(row) || row.shell !== 'bash'))),
    ).toEqual([])
    expect(idsOf(judged.filter((row) => row.decision === 'deny' && row.expect === 'allow'))).toEqual([])
    const harmless = judged.filter((row) => isHarmless(row) && row.shell === 'bash')
    const asked = harmless.filter(({ decision }) => decision !== 'allow')
    expect(asked.length, JSON.stringify(idsOf(asked))).toBeLessThanOrEqual(harmless.length * 0.05)
    // Not a promise, but the way back to one: what should be refused is refused, not only asked about.
    const mild = judged.filter((row) => row.expect === 'deny' && row.decision !== 'deny')
    expect(mild.length, JSON.stringify(idsOf(mild))).toBeLessThanOrEqual(rows.length * 0.01)
  },
)

function decide(rows: readonly Row[], sandbox: string): string[] {
  const input = rows.map(({ cmd, shell }) => `${JSON.stringify({ cmd, shell, cwd: '/w' })}\n`).join('')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [maru, 'policy', 'check', '--json', '--sandbox', sandbox],
    {
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { cmd: string; decision: string })
  expect(lines.map(({ cmd }) => cmd)).toEqual(rows.map(({ cmd }) => cmd))
  return lines.map(({ decision }) => decision)
}
