import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

/** Maven with surefire: the sum of each module, and the list of failures above it. */
export const parseMaven: ParseReport = ({ stdout, isCut }) => {
  // With a class or a time behind it, it is the line of one class; the sums stand alone.
  const sums = [
    ...stdout.matchAll(/^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$/gm),
  ]
  const errors = javacErrors(stdout)
  if (isCut || (sums.length === 0 && errors.length === 0)) {
    return !isCut && /^(?:\[INFO\] )?No tests to run\.?$/m.test(stdout) ? reportOf({}) : undefined
  }
  const sum = (at: number) => sums.reduce((total, line) => total + Number(line[at] ?? 0), 0)
  const failed = sum(2) + sum(3)
  const skipped = sum(4)
  const failures = [...stdout.matchAll(/^\[ERROR\] {3}(\S+?)(?::(\d+))?(?:->\S+)? +(.*)$/gm)].map(
    ([, name = '', line, message = '']) => ({ name, ...placeOf(fileOf(name), line), message: message.trim() }),
  )
  return reportOf({ passed: sum(1) - failed - skipped, failed: failed + errors.length, skipped }, [
    ...failures,
    ...errors,
  ])
}

// `CalculatorTest.adds` or `CalculatorTest.adds(Type)`: the class is in a file of its name.
function fileOf(name: string): string {
  return `${name.split('.').at(-2) ?? name}.java`
}

function javacErrors(stdout: string): Failure[] {
  if (!/COMPILATION ERROR/.test(stdout)) return []
  const errors = [...stdout.matchAll(/^\[ERROR\] (\/?\S+\.(?:java|kt)):\[?(\d+)[,\]].*?\]? (.*)$/gm)]
  const all = errors.map(([, file, line, message = '']) => ({
    name: 'it does not compile',
    ...placeOf(file, line),
    message,
  }))
  return [...new Map(all.map((one) => [`${one.file}:${one.line}:${one.message}`, one])).values()]
}

/** Gradle says how many only when some failed; a success without numbers is not taken for more than it is. */
export const parseGradle: ParseReport = ({ stdout, isCut }) => {
  const sums = [...stdout.matchAll(/^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/gm)]
  if (sums.length === 0 || isCut) return undefined
  const sum = (at: number) => sums.reduce((total, line) => total + Number(line[at] ?? 0), 0)
  const failures = stdout
    .split(/^(?=\S.* > .* FAILED$)/m)
    .filter((part) => /^\S.* > .* FAILED$/m.test(part))
    .map(readPart)
  return reportOf({ passed: sum(1) - sum(2) - sum(3), failed: sum(2), skipped: sum(3) }, failures)
}

function readPart(part: string): Failure {
  const [title = '', ...rest] = part.split('\n')
  const body = rest.slice(0, rest.findIndex((line) => line.trim() === '') + 1 || rest.length)
  const [, file, line] = /[\s(]([\w$]+\.(?:java|kt|groovy)):(\d+)/.exec(body.join('\n')) ?? []
  const message = body.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('at '))
  return { name: title.replace(/ FAILED$/, ''), ...placeOf(file, line), message: message.join('\n') }
}
