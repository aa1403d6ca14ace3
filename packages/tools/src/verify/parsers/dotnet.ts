import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

/** What `dotnet test` prints for each project, in the old form and the new. */
export const parseDotnet: ParseReport = ({ stdout, isCut }) => {
  const lines = [
    ...stdout.matchAll(/(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +\d+/g),
    ...stdout.matchAll(/Test summary: total: \d+, failed: (\d+), succeeded: (\d+), skipped: (\d+)/g),
  ]
  const errors = buildErrors(stdout)
  if (isCut || (lines.length === 0 && errors.length === 0)) return undefined
  const sum = (at: number) => lines.reduce((total, line) => total + Number(line[at] ?? 0), 0)
  const counts = { failed: sum(1) + (lines.length === 0 ? errors.length : 0), passed: sum(2), skipped: sum(3) }
  const parts = stdout.split(/^(?= {2}Failed \S)/m).filter((part) => /^ {2}Failed \S/.test(part))
  return reportOf(counts, [...parts.map(readPart), ...errors])
}

function readPart(part: string): Failure {
  const name = /^ {2}Failed (.*?)(?: \[.*\])?$/m.exec(part)?.[1] ?? ''
  const message = /Error Message:\n([\s\S]*?)(?:\n\s*Stack Trace:|\n\s*\n|$)/.exec(part)?.[1] ?? ''
  const [, file, line] = / in (.+?):line (\d+)/.exec(part) ?? []
  return { name, ...placeOf(file, line), message: message.replace(/^ {3}/gm, '').trim() }
}

function buildErrors(stdout: string): Failure[] {
  const seen = new Map<string, Failure>()
  for (const [, file = '', line = '', message = ''] of stdout.matchAll(
    /^\s*(.+?)\((\d+),\d+\): error (.*?)(?: \[.*\])?$/gm,
  )) {
    seen.set(`${file}:${line}:${message}`, { name: 'it does not compile', ...placeOf(file, line), message })
  }
  return [...seen.values()]
}
