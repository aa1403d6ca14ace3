import { LogError, type Problem } from '@maru/protocol'
import { problemOf as httpProblemOf, refusal } from '../http/problem.ts'

/**
 * Why something was refused, as a frame tells it: as over HTTP, but whoever runs under a server's log tells what that log
 * says apart by the log's own codes, and gets its details.
 */
export function problemOf(error: unknown): Problem {
  const problem = httpProblemOf(error)
  // The database refused a value: that is not the same as a database that is away.
  if (!(error instanceof LogError) || problem.code === 'rejected' || problem.code === 'full') return problem
  const { code, message, details } = error
  const isOurs = code === 'failed' || code === 'closed'
  return {
    ...problem,
    code,
    ...(!isOurs && { detail: message }),
    ...(!isOurs && Object.keys(details).length > 0 && { details }),
  }
}

export function misses(scope: string): Problem {
  return refusal('forbidden', `this needs a key with the scope "${scope}"`).problem
}
