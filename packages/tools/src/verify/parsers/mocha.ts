import { type ParseReport, placeInStack, placeOf, reportOf, withoutStack } from '../report.ts'

interface MochaJson {
  stats?: { passes?: number; failures?: number; pending?: number }
  failures?: { fullTitle?: string; file?: string; err?: { message?: string; stack?: string } }[]
}

/** What mocha's JSON reporter prints: an object over many lines, after whatever the tests print. */
export const parseMochaJson: ParseReport = ({ stdout }) => {
  const json = lastObject(stdout)
  if (json?.stats === undefined) return undefined
  const { passes = 0, failures = 0, pending = 0 } = json.stats
  const failed = (json.failures ?? []).map(({ fullTitle = '', file, err = {} }) => {
    const place = placeInStack(err.stack ?? '')
    return {
      name: fullTitle,
      ...(place.file ? place : placeOf(file, undefined)),
      message: withoutStack(err.message ?? ''),
    }
  })
  return reportOf({ passed: passes, failed: failures, skipped: pending }, failed)
}

function lastObject(text: string): MochaJson | undefined {
  // The object begins on a line of its own, but a test may have printed such a line too.
  const starts = [...text.matchAll(/^\{$/gm)].map(({ index }) => index).slice(0, 50)
  for (const start of starts) {
    try {
      const json = JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)) as MochaJson
      if (typeof json.stats === 'object') return json
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return undefined
}
