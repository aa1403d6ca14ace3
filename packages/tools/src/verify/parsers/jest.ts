import {
  type Failure,
  type ParseReport,
  placeInStack,
  placeOf,
  plainText,
  reportOf,
  type TestReport,
  withoutStack,
} from '../report.ts'

interface Assertion {
  status?: string
  fullName?: string
  title?: string
  ancestorTitles?: string[]
  failureMessages?: string[]
  location?: { line?: number } | null
}
interface Suite {
  name?: string
  status?: string
  message?: string
  assertionResults?: Assertion[]
}

/** The JSON that jest and vitest print on one line, among whatever the tests print. */
export const parseJestJson: ParseReport = ({ stdout }) => {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"num') && line.endsWith('}'))
  const reports = lines.map(parseLine).filter((report) => report !== undefined)
  const [first, ...others] = reports
  if (first === undefined || others.length > 0) return undefined
  return first
}

function parseLine(line: string): TestReport | undefined {
  try {
    const json = JSON.parse(line) as { testResults?: Suite[] }
    return Array.isArray(json.testResults) ? readSuites(json.testResults) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readSuites(suites: readonly Suite[]): TestReport {
  const tests = suites.flatMap(({ assertionResults = [] }) => assertionResults)
  const count = (...statuses: string[]) => tests.filter(({ status = '' }) => statuses.includes(status)).length
  // A file that cannot be loaded has no tests that could fail.
  const broken = suites.filter(({ status, assertionResults = [] }) => {
    return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
  })
  const failures = suites.flatMap((suite) => (broken.includes(suite) ? [brokenFile(suite)] : failuresIn(suite)))
  return reportOf(
    {
      passed: count('passed'),
      failed: count('failed') + broken.length,
      skipped: count('pending', 'skipped', 'todo', 'disabled'),
    },
    failures,
  )
}

function brokenFile({ name = '', message = '' }: Suite): Failure {
  return { name: 'the file could not be run', ...placeOf(name, undefined), message: withoutStack(plainText(message)) }
}

function failuresIn({ name, assertionResults = [] }: Suite): Failure[] {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, title = '', ancestorTitles = [], failureMessages = [], location }) => {
      const message = plainText(failureMessages.join('\n'))
      const place = placeInStack(message)
      const isHere = place.file !== undefined && place.file === name
      const line = isHere ? place.line : location?.line
      return {
        name: ancestorTitles.length > 0 ? [...ancestorTitles, title].join(' > ') : (fullName ?? title),
        ...placeOf(name, line === undefined ? undefined : String(line)),
        message: withoutStack(message),
      }
    })
}
