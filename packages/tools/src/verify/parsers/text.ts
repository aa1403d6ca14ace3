import {
  type Failure,
  type Output,
  type ParseReport,
  placeInStack,
  placeOf,
  reportOf,
  sumReports,
  type TestReport,
} from '../report.ts'

/** What JavaScript runners tell people, for when no machine was told: several runs in one output are added up. */
export const parseRunnerText: ParseReport = (output) => {
  if (output.isCut) return undefined
  const text = `${output.stdout}\n${output.stderr}`
  const found = [vitest(text), jest(text), mocha(text), bun(text), deno(text), nodeSpec(output)].filter(
    (report) => report.length > 0,
  )
  return sumReports(found[0] ?? [])
}

// ` Tests  1 failed | 2 passed | 1 skipped (4)`
function vitest(text: string): TestReport[] {
  const sums = [...text.matchAll(/^\s*Tests {2}(.*\(\d+\)|no tests)$/gm)].map(([, line = '']) => countsIn(line))
  // ` FAIL  file > suite > test`, and once more for a file that cannot be loaded
  const failures = text.split(/^(?=\s*FAIL {2})/m).flatMap((part): Failure[] => {
    const [, file, name] = /^\s*FAIL {2}(\S+)(?: > (.*)| \[ .* \])$/m.exec(part) ?? []
    if (file === undefined) return []
    const line = new RegExp(`❯ .*${literal(file)}:(\\d+):\\d+`).exec(part)?.[1]
    const message =
      part
        .split('\n')
        .slice(1)
        .join('\n')
        .split(/\n\s*\n|\n\s*❯ /)[0] ?? ''
    return [{ name: name ?? UNRUN, ...placeOf(file, line), message: message.trim() }]
  })
  const unique = [...new Map(failures.map((failure) => [`${failure.file} ${failure.name}`, failure])).values()]
  // A file that cannot be loaded is in the sum of files, not of tests.
  const [first, ...others] = withFailures(sums, unique)
  const unrun = unique.filter(({ name }) => name === UNRUN).length
  return first === undefined ? [] : [{ ...first, failed: first.failed + unrun }, ...others]
}

const UNRUN = 'the file could not be run'

// `Tests:       1 failed, 2 passed, 3 total`
function jest(text: string): TestReport[] {
  const sums = [...text.matchAll(/^Tests: +(.* total)$/gm)].map(([, line = '']) => countsIn(line))
  const failures = text.split(/^(?= {2}● )/m).flatMap((part): Failure[] => {
    const name = /^ {2}● (.*)$/m.exec(part)?.[1]
    if (name === undefined || name === 'Console') return []
    const message =
      part
        .split('\n')
        .slice(1)
        .join('\n')
        .split(/\n\s+at |\n\s*\d+ \|/)[0] ?? ''
    return [{ name: name.replaceAll(' › ', ' > '), ...placeInStack(part), message: message.trim() }]
  })
  return withFailures(sums, failures)
}

// `  2 passing (5ms)`, `  1 failing`, `  1 pending`
function mocha(text: string): TestReport[] {
  const sums = [...text.matchAll(/^ {2}(\d+) passing \(.*\)\n(?: {2}(\d+) pending\n)?(?: {2}(\d+) failing)?/gm)]
  const reports = sums.map(([, passed, skipped = 0, failed = 0]) => {
    return reportOf({ passed: Number(passed), skipped: Number(skipped), failed: Number(failed) })
  })
  const failures = text.split(/^(?= {2}\d+\) )/m).flatMap((part): Failure[] => {
    const [, title] = /^ {2}\d+\) ([\s\S]*?):\n\s*\n/.exec(part) ?? []
    if (title === undefined) return []
    const name = title
      .split('\n')
      .map((line) => line.trim())
      .join(' > ')
    const message = part.slice(part.indexOf(':\n') + 2).split(/\n\s+at /)[0] ?? ''
    return [{ name, ...placeInStack(part), message: message.trim() }]
  })
  return withFailures(reports, failures)
}

// ` 3 pass`, ` 1 skip`, ` 1 fail`, … `Ran 4 tests across 2 files.`
function bun(text: string): TestReport[] {
  if (!/^Ran \d+ tests? across \d+ files?\./m.test(text)) return []
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0)
  const names = [...text.matchAll(/^(?:\(fail\)|✗) (.*?)(?: \[[\d.]+m?s\])?$/gm)]
  const failures = names.map(([, name = '']) => ({ name, message: '' }))
  return [reportOf({ passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }, failures)]
}

// `ok | 3 passed | 0 failed (5ms)`
function deno(text: string): TestReport[] {
  const sums = [...text.matchAll(/^(?:ok|FAILED) \| (.*) \(\d+.*\)$/gm)].map(([, line = '']) => countsIn(line))
  const failures = [...text.matchAll(/^(\S.*?) => (\S+?):(\d+):\d+\n(?:error: )?(.*)$/gm)].map(
    ([, name = '', file, line, message = '']) => ({ name, ...placeOf(file, line), message }),
  )
  // Told once with their errors, and then by their names.
  const first = failures.filter(({ name }, at) => failures.findIndex((other) => other.name === name) === at)
  return withFailures(sums, first)
}

// `ℹ pass 3` below what Node tells a person
function nodeSpec({ stdout }: Output): TestReport[] {
  const count = (word: string) => /\d+/.exec(new RegExp(`^ℹ ${word} \\d+$`, 'm').exec(stdout)?.[0] ?? '')?.[0]
  if (count('pass') === undefined) return []
  const listed = stdout.slice(Math.max(stdout.lastIndexOf('failing tests:'), 0))
  const failures = [
    ...listed.matchAll(
      /^test at (.*?):(\d+):\d+\n✖ (.*?)(?: \([\d.]+ms\))?\n([\s\S]*?)(?=\n {2,}at |\n\n|(?![\s\S]))/gm,
    ),
  ].map(([, file, line, name = '', message = '']) => ({ name, ...placeOf(file, line), message: message.trim() }))
  const number = (word: string) => Number(count(word) ?? 0)
  const failed = number('fail') + number('cancelled')
  return [reportOf({ passed: number('pass'), failed, skipped: number('skipped') + number('todo') }, failures)]
}

function countsIn(line: string): TestReport {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0)
  const skipped = count('skipped') + count('todo') + count('ignored')
  return reportOf({ passed: count('passed'), failed: count('failed'), skipped })
}

function withFailures(reports: readonly TestReport[], failures: readonly Failure[]): TestReport[] {
  return reports.map((report, at) => (at === 0 ? { ...report, failures } : report))
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
