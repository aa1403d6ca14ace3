import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** One test that did not run, and why: `context.skip('why')` gives the reason. */
export type Skip = { name: string; reason: string }

/** What a whole run came to. */
export type Tally = { passed: number; failed: number; skips: Skip[] }

/** Vitest's reporter for the end of a run: every skipped test with its reason, then `N passed, N failed, N skipped`. */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    process.stdout.write(`${describeTally(tally(modules, unhandled.length))}\n`)
  }
}

/** The closing lines: the skips that have the same reason stand together. */
export function describeTally({ passed, failed, skips }: Tally): string {
  const reasons = [...new Set(skips.map(({ reason }) => reason))]
  const lines = reasons.flatMap((reason) => [
    `skipped: ${reason}`,
    ...skips.filter((skip) => skip.reason === reason).map(({ name }) => `  ${name}`),
  ])
  return [...lines, `${passed} passed, ${failed} failed, ${skips.length} skipped`].join('\n')
}

/** A file that cannot even be loaded, and an error outside any test, count as failures: neither may close on 0 failed. */
function tally(modules: readonly TestModule[], unhandled: number): Tally {
  const result: Tally = { passed: 0, failed: unhandled, skips: [] }
  for (const module of modules) {
    result.failed += module.errors().length
    for (const suite of module.children.allSuites()) result.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const outcome = test.result()
      if (outcome.state === 'passed') result.passed++
      else if (outcome.state === 'failed') result.failed++
      else {
        const reason = outcome.state === 'skipped' ? outcome.note : undefined
        result.skips.push({
          name: `${module.relativeModuleId} > ${test.fullName}`,
          reason: reason ?? 'no reason given',
        })
      }
    }
  }
  return result
}
