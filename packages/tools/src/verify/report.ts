import { stripVTControlCharacters } from 'node:util'

/** What a program printed, without colours. `isCut`: the beginning is missing. */
export interface Output {
  readonly stdout: string
  readonly stderr: string
  readonly isCut: boolean
}

/** A test that failed, or a file that could not be run. */
export interface Failure {
  readonly name: string
  readonly file?: string
  readonly line?: number
  readonly message: string
}

/** What is known of a test run; `failures` holds the first ones. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly Failure[]
}

/** Reads one format; nothing if the output is not in it, or not whole. */
export type ParseReport = (output: Output) => TestReport | undefined

const MOST_FAILURES = 50

/** A report of so many, with the first failures. */
export function reportOf(
  counts: { passed?: number; failed?: number; skipped?: number },
  failures: readonly Failure[] = [],
): TestReport {
  const { passed = 0, failed = 0, skipped = 0 } = counts
  return { passed, failed, skipped, failures: failures.slice(0, MOST_FAILURES) }
}

/** Several reports as one: packages that were run one after the other. */
export function sumReports(reports: readonly TestReport[]): TestReport | undefined {
  if (reports.length === 0) return undefined
  const sum = (pick: (report: TestReport) => number) => reports.reduce((total, report) => total + pick(report), 0)
  return reportOf(
    {
      passed: sum(({ passed }) => passed),
      failed: sum(({ failed }) => failed),
      skipped: sum(({ skipped }) => skipped),
    },
    reports.flatMap(({ failures }) => failures),
  )
}

/** Text without colours and other signs for terminals, and with plain line ends. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n')
}

const LONG_LINE = 1_000

/** The same without long lines and long gaps: patterns that look for words of people are slow in them. */
export function tame({ stdout, stderr, isCut }: Output): Output {
  return { stdout: tameText(stdout), stderr: tameText(stderr), isCut }
}

function tameText(text: string): string {
  let gap = 0
  const lines = text.split('\n').filter((line) => {
    gap = line.trim() === '' ? gap + 1 : 0
    return gap <= 2
  })
  return lines.map((line) => (line.length > LONG_LINE ? line.slice(0, LONG_LINE) : line.trimEnd())).join('\n')
}

/** A place from digits that a pattern found. */
export function placeOf(file: string | undefined, line: string | undefined): { file?: string; line?: number } {
  return { ...(file && { file }), ...(file && line && { line: Number(line) }) }
}

/** The first place in a JavaScript stack that is the repository's own. */
export function placeInStack(stack: string): { file?: string; line?: number } {
  const frames = stack
    .slice(0, 20_000)
    .matchAll(/\((?:file:\/\/)?([^()\n]+?):(\d+):\d+\)$|\bat (?:async )?(?:file:\/\/)?([^()\s]+?):(\d+):\d+$/gm)
  for (const [, inner, innerLine, bare, bareLine] of frames) {
    const path = inner ?? bare ?? ''
    if (!/node_modules|^node:|^internal\//.test(path)) return placeOf(path, innerLine ?? bareLine)
  }
  return {}
}

/** Messages without their stack frames. */
export function withoutStack(message: string): string {
  return message
    .slice(0, 20_000)
    .replace(/\n\s+at .*(?:\n\s+at .*)*/g, '')
    .trim()
}
