import { TEXT_LIMIT } from '@maru/agent'
import type { Diagnostic, ToolResult } from '@maru/protocol'
import { parseProblems } from './parse-problems.ts'
import { parseReport } from './parse-report.ts'
import type { Profile } from './profile.ts'
import { renderProblems, renderReport } from './render-outcome.ts'
import type { Output } from './report.ts'

/** A run that has ended by itself. */
export interface EndedRun {
  readonly profile: Pick<Profile, 'kind' | 'name' | 'format'>
  readonly exit: number
  readonly output: Output
  /** A path as the program wrote it, below the root. */
  shorten(file: string): string
}

/** What a run proves: nothing is called passed that was not counted, and a doubt is said. */
export function judgeRun(run: EndedRun): ToolResult {
  return run.profile.kind === 'test' ? judgeTests(run) : judgeProblems(run)
}

function judgeTests({ profile, exit, output, shorten }: EndedRun): ToolResult {
  const report = parseReport(profile.format, output)
  if (report === undefined) {
    const stdout = tailOf(output, TEXT_LIMIT)
    return { ok: exit === 0, exit, data: { by: profile.name }, stdout, diagnostics: [notCounted(exit)] }
  }
  const failures = report.failures.map((one) => ({ ...one, ...(one.file && { file: shorten(one.file) }) }))
  const { passed, failed, skipped } = report
  const doubt = doubtOf(report, exit)
  const room = TEXT_LIMIT - (doubt === undefined ? 0 : 3_000)
  const text = renderReport(profile.name, { ...report, failures }, room)
  return {
    ok: exit === 0 && failed === 0 && passed > 0,
    exit,
    data: { by: profile.name, passed, failed, skipped },
    stdout: doubt === undefined ? text : `${text}\n\nThe end of the output:\n${tailOf(output, 2_800)}`,
    ...(doubt && { diagnostics: [doubt] }),
  }
}

function doubtOf({ passed, failed }: { passed: number; failed: number }, exit: number): Diagnostic | undefined {
  if (passed + failed === 0) {
    return {
      code: 'no-tests-ran',
      message: 'Not a single test ran.',
      hint: 'Check the filter, or where the tests are.',
    }
  }
  if (failed === 0 && exit !== 0) {
    const message = `No test is reported as failed, but the program ended with exit code ${exit}.`
    return { code: 'exit-disagrees', message, hint: 'Something beside the tests failed: see the end of the output.' }
  }
  if (failed > 0 && exit === 0) {
    return { code: 'exit-disagrees', message: 'Tests failed, although the program ended with exit code 0.' }
  }
  return undefined
}

function notCounted(exit: number): Diagnostic {
  const message = `How many tests ran could not be read from the output; all that is known is exit code ${exit}.`
  const hint = exit === 0 ? 'Look at the output before you call it passed.' : 'Look for the cause in the output.'
  return { code: 'not-counted', message, hint }
}

function judgeProblems({ profile, exit, output, shorten }: EndedRun): ToolResult {
  const problems = parseProblems(output).map((one) => ({ ...one, ...(one.file && { file: shorten(one.file) }) }))
  const errors = problems.filter(({ isError }) => isError).length
  const counts = { by: profile.name, errors, warnings: problems.length - errors }
  const isUnread = exit !== 0 && problems.length === 0
  if (isUnread) {
    const message = `${profile.name} ended with exit code ${exit}; what it found could not be read.`
    const diagnostics = [{ code: 'not-counted', message }]
    return { ok: false, exit, data: { by: profile.name }, stdout: tailOf(output, TEXT_LIMIT), diagnostics }
  }
  return { ok: exit === 0, exit, data: counts, stdout: renderProblems(profile.name, problems, TEXT_LIMIT) }
}

// What a program says last says most; on which of its outputs is anybody's guess.
function tailOf({ stdout, stderr }: Output, limit: number): string {
  const [out, err] = [stdout.trim(), stderr.trim()]
  if (out === '' || err === '') return (out || err).slice(-limit)
  const half = Math.floor(limit / 2)
  const room = { out: Math.max(half, limit - err.length), err: Math.max(half, limit - out.length) }
  return `${out.slice(-room.out)}\n${err.slice(-room.err)}`
}
