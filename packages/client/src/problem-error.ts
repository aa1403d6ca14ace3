import { LogError, type LogErrorCode, type Problem } from '@maru/protocol'

/** The server said no. `code` is stable; the message says what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  readonly detail: string | undefined
  readonly retryAfter: number | undefined
  readonly problem: Problem

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.detail ?? problem.title, options)
    this.problem = problem
    this.code = problem.code
    this.status = problem.status
    this.detail = problem.detail
    this.retryAfter = problem.retryAfter
  }
}

/** Whether the same request may succeed later without any change to it. */
export function isTemporary({ retryAfter, status }: Problem): boolean {
  return retryAfter !== undefined || status === 429 || status === 503
}

const LOG_CODES: { [Code in LogErrorCode]: true } = {
  missing: true,
  exists: true,
  conflict: true,
  held: true,
  damaged: true,
  rejected: true,
  moved: true,
  newer: true,
  full: true,
  failed: true,
  closed: true,
}

/** A refusal as the log itself would have said it, had it been here. */
export function toLogError(error: unknown): LogError {
  if (error instanceof LogError) return error
  if (!(error instanceof ApiError)) throw error
  const { code, problem, message } = error
  const details = (problem as { details?: LogError['details'] }).details
  const known = Object.hasOwn(LOG_CODES, code) ? (code as LogErrorCode) : 'failed'
  return new LogError(known, message, { cause: error, ...(details && { details }) })
}

export const CLOSED: Problem = { code: 'closed', status: 400, title: 'This connection was closed.' }
export const REFUSED: Problem = {
  code: 'unauthorised',
  status: 401,
  title: 'The server does not let this client in.',
  detail: 'The server does not let this client in: sign in again, or use another token.',
}
