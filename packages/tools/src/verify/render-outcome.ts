import { beginning, cutMiddle } from '@maru/agent'
import type { CodeProblem } from './parse-problems.ts'
import type { Failure, TestReport } from './report.ts'

const MESSAGE_LINES = 12
const MESSAGE_LIMIT = 1_500
const LINE_LIMIT = 300

/** The counts and the first failures with their places, within `limit` characters; what is left out is said. */
export function renderReport(title: string, { passed, failed, skipped, failures }: TestReport, limit: number): string {
  const counts = `${title}: ${passed} passed, ${failed} failed, ${skipped} skipped`
  return keepFitting([counts, ...failures.map(renderFailure)], { limit, total: failed, what: 'failures' })
}

function renderFailure({ name, file, line, message }: Failure): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
  const lines = message.split('\n').filter((text, at, all) => text.trim() !== '' || all[at - 1]?.trim() !== '')
  const kept = lines.slice(0, MESSAGE_LINES).map((text) => `  ${beginning(text, LINE_LIMIT)}`)
  const rest = lines.length - MESSAGE_LINES
  const body = cutMiddle(kept.join('\n'), MESSAGE_LIMIT)
  return [
    `FAILED ${beginning(name, LINE_LIMIT)}${place}`,
    body,
    ...(rest > 0 ? [`  [… ${rest} more lines]`] : []),
  ].join('\n')
}

/** The number of problems and the first of them, errors before warnings. */
export function renderProblems(title: string, problems: readonly CodeProblem[], limit: number): string {
  const errors = problems.filter(({ isError }) => isError)
  const warnings = problems.filter(({ isError }) => !isError)
  const lines = [...errors, ...warnings].map(({ isError, file, line, message }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `
    return `${place}${isError ? 'error' : 'warning'}: ${beginning(message, LINE_LIMIT)}`
  })
  const counts = `${title}: ${errors.length} errors, ${warnings.length} warnings`
  return keepFitting([counts, ...lines], { limit, total: problems.length, what: 'problems' })
}

// The first part is always there; the others as long as they fit.
function keepFitting(
  parts: readonly string[],
  { limit, total, what }: { limit: number; total: number; what: string },
): string {
  const shown: string[] = []
  let length = 0
  for (const part of parts) {
    if (shown.length > 0 && length + part.length + 1 > limit - 80) break
    shown.push(part)
    length += part.length + 1
  }
  const rest = total - (shown.length - 1)
  return [...shown, ...(rest > 0 ? [`[… ${rest} more ${what}]`] : [])].join('\n')
}
