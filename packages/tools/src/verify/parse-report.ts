import { parseCargo } from './parsers/cargo.ts'
import { parseDotnet } from './parsers/dotnet.ts'
import { parseGoJson } from './parsers/go.ts'
import { parseJestJson } from './parsers/jest.ts'
import { parseGradle, parseMaven } from './parsers/jvm.ts'
import { parseMochaJson } from './parsers/mocha.ts'
import { parsePytest, parseUnittest } from './parsers/python.ts'
import { parseTap } from './parsers/tap.ts'
import { parseRunnerText } from './parsers/text.ts'
import type { OutputFormat } from './profile.ts'
import { type Output, type ParseReport, type TestReport, tame } from './report.ts'

// Those that read what is written for machines; the others read what is written for people.
const MACHINES: readonly [OutputFormat, ParseReport][] = [
  ['jest-json', parseJestJson],
  ['mocha-json', parseMochaJson],
  ['go-json', parseGoJson],
]

// From what cannot be mistaken for anything else to what could.
const PEOPLE: readonly [OutputFormat, ParseReport][] = [
  ['cargo', parseCargo],
  ['dotnet', parseDotnet],
  ['maven', parseMaven],
  ['gradle', parseGradle],
  ['unittest', parseUnittest],
  ['any', parseRunnerText],
  ['tap', parseTap],
  ['pytest', parsePytest],
]

/** What a test run came to, or nothing if its output does not say. The named format is tried before the others. */
export function parseReport(format: OutputFormat, output: Output): TestReport | undefined {
  const tamed = tame(output)
  const tries = [
    ...MACHINES.map(([name, parse]) => ({ name, read: () => parse(output) })),
    ...PEOPLE.map(([name, parse]) => ({ name, read: () => parse(tamed) })),
  ]
  const own = tries.filter(({ name }) => name === format && name !== 'any')
  for (const { read } of [...own, ...tries]) {
    const report = read()
    if (report !== undefined) return report
  }
  return undefined
}
