import type { Translator } from '@maru/i18n'
import { EXIT } from '../exit-code.ts'
import { type ConfigProblem, describeProblem } from './problem.ts'

/** A config file that cannot be used. Nothing is ever written because of it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config'
  readonly exit = EXIT.usage
  /** Every problem, a line each. */
  readonly details: readonly string[]

  constructor(problems: readonly ConfigProblem[], t: Translator) {
    const details = problems.map((problem) => describeProblem(t, problem))
    const [first = ''] = details
    super(details.length < 2 ? first : t('config.and-more', { first, n: details.length - 1 }))
    this.details = details
  }
}
